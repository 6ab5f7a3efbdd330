import { existsSync } from 'node:fs'
import { installOnDebian } from './debian.ts'

/** Headless as root, without background requests. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Without the windows of a desktop browser: a journey takes 0.56 of the time (measured). */
const headless = '/usr/bin/chromium-headless-shell'
const places = [
  headless,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const found = (): string | undefined =>
  [process.env['CHROMIUM_PATH'], ...places].find((path): path is string => Boolean(path) && existsSync(path ?? ''))

let isTried = false

/**
 * The browser for tests: the headless one, installed with apt for root on Debian, or any other that is installed; otherwise a one-line error.
 */
export const findChromium = (): string => {
  const isChosen = existsSync(process.env['CHROMIUM_PATH'] ?? headless)
  if (!isChosen && !isTried) installOnDebian('Chromium', ['chromium-headless-shell', 'fonts-liberation'])
  isTried = true
  const path = found()
  if (path) return path
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
  )
}
