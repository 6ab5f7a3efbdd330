import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { localDateOf } from '@gridmast/contract/time.ts'
import { version } from '#platform/version.ts'

type Release = { title: string; released: string; description: string }

const most = 100
const longest = 20_000
const charactersRead = 500_000

const isLink = (line: string) => /^\[[^\]]+\]: /.test(line)

/**
 * The versions of a changelog (keepachangelog.com), newest first. What it calls unreleased is the running version, of the day given, until that
 * version has a section of its own.
 */
export const releasesOf = (text: string, running: { version: string; day: string }): Release[] => {
  const sections = text
    .slice(0, charactersRead)
    .replaceAll('\r\n', '\n')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...lines] = section.split('\n')
      return {
        name: /^\[?([^\]\s]+)/.exec(head)?.[1] ?? '',
        day: /\d{4}-\d{2}-\d{2}/.exec(head)?.[0],
        description: lines
          .filter((line) => !isLink(line))
          .join('\n')
          .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
          .trim()
          .slice(0, longest),
      }
    })
  const isReleased = sections.some(({ name }) => name === running.version)
  return sections
    .map((one) =>
      one.name === 'Unreleased' && !isReleased ? { ...one, name: running.version, day: running.day } : one,
    )
    .flatMap(({ name, day, description }) =>
      day && description ? [{ title: `Version ${name}`, released: day, description }] : [],
    )
    .slice(0, most)
}

const file = join(import.meta.dirname, '../../../../CHANGELOG.md')

/** Of the product itself, read once. The running version is of the day on which its changelog came to this machine. */
export const ownReleases: Release[] = existsSync(file)
  ? releasesOf(readFileSync(file, 'utf8'), { version, day: localDateOf(statSync(file).mtimeMs) })
  : []
