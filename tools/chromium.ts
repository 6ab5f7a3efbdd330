import { existsSync } from 'node:fs'
import { installOnDebian } from './debian.ts'

/** Headless as root, and quiet: nothing is fetched but the pages under test. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const found = (): string | undefined =>
  [process.env['CHROMIUM_PATH'], ...places].find((path): path is string => Boolean(path) && existsSync(path ?? ''))

/** The browser that the tests drive: found, or installed with apt when this is root on Debian; otherwise an error of one line. */
export const findChromium = (): string => {
  const path = found()
  if (path) return path
  const installed = installOnDebian('Chromium', ['chromium', 'fonts-liberation']) && found()
  if (installed) return installed
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
  )
}
