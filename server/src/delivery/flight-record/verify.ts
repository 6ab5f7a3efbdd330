import { createHash } from 'node:crypto'

/*
 * Checks flight records without a server. It shares no code with the writer on purpose, so that an auditor can read this file alone; manual
 * verification: docs/flight-record.md.
 */

type Link = { link: number; at: string; subject: string; content: string; previous: string; sha256: string }
type Seal = { seal: number; content: string; parts: [part: string, sum: string][] }

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

export type Verdict = {
  wrong: string[]
  subject: string | null
  own: { no: number; at: string; sha256: string } | null
  parts: number
  links: readonly Link[]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isLink = (value: unknown): value is Link =>
  isObject(value) &&
  typeof value['link'] === 'number' &&
  ['at', 'subject', 'content', 'previous', 'sha256'].every((key) => isText(value[key]))

const isSeal = (value: unknown): value is Seal =>
  isObject(value) &&
  typeof value['seal'] === 'number' &&
  isText(value['content']) &&
  Array.isArray(value['parts']) &&
  value['parts'].every((one) => Array.isArray(one) && one.length === 2 && one.every(isText))

const read = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

const checkParts = (lines: readonly string[], seal: Seal): string[] => {
  const wrong: string[] = []
  const named = lines.map((line) => {
    const value = read(line)
    return isObject(value) && isText(value['part']) ? value['part'] : null
  })
  const bySum = new Map(lines.map((line, i) => [sha256(line), i]))
  seal.parts.forEach(([part, sum], i) => {
    const at = bySum.get(sum)
    if (at === i) return
    if (at !== undefined) wrong.push(`Part '${part}' was moved: it is in line ${at + 1} instead of ${i + 1}`)
    else if (named.includes(part)) wrong.push(`Part '${part}' was changed (line ${named.indexOf(part) + 1})`)
    else wrong.push(`Part '${part}' is missing or was changed together with its name (line ${i + 1})`)
  })
  const sealedNames = new Set(seal.parts.map(([part]) => part))
  named.forEach((part, i) => {
    if (part === null) wrong.push(`Line ${i + 1} is no part of a flight record`)
    else if (!sealedNames.has(part)) wrong.push(`Part '${part}' was added (line ${i + 1})`)
  })
  if (lines.length > seal.parts.length && wrong.length === 0) wrong.push('A part is in the file twice')
  if (sha256(seal.parts.map(([part, sum]) => `${sum}  ${part}\n`).join('')) !== seal.content)
    wrong.push('The list of parts was changed: its hash differs from the seal')
  return wrong
}

const checkChain = (links: readonly Link[]): string[] => {
  const wrong: string[] = []
  links.forEach((link, i) => {
    const { at, subject, content, previous } = link
    if (sha256(`${link.link}\n${at}\n${subject}\n${content}\n${previous}\n`) !== link.sha256)
      wrong.push(`Link ${link.link} was changed: its hash differs from its content`)
    const before = links[i - 1]
    if (!before) return
    if (link.link <= before.link) wrong.push(`The chain was reordered: link ${link.link} follows link ${before.link}`)
    else if (link.link > before.link + 1)
      wrong.push(
        link.link === before.link + 2
          ? `Link ${before.link + 1} is missing`
          : `Links ${before.link + 1} to ${link.link - 1} are missing`,
      )
    else if (previous !== before.sha256)
      wrong.push(`Link ${link.link} does not follow link ${before.link}: one of them was replaced`)
  })
  return wrong
}

export const verifyRecord = (text: string): Verdict => {
  const lines = text.split('\n')
  const wrong: string[] = []
  if (lines.at(-1) === '') lines.pop()
  else wrong.push('The file was cut off: its last line does not end')
  const sealAt = lines.findIndex((line) => line.startsWith('{"seal":'))
  const seal = read(lines[sealAt] ?? '')
  if (!isSeal(seal))
    return {
      wrong: [...wrong, 'This is no flight record: it has no seal, or an unreadable one'],
      subject: null,
      own: null,
      parts: 0,
      links: [],
    }
  const links: Link[] = []
  lines.slice(sealAt + 1).forEach((line, i) => {
    const link = read(line)
    if (isLink(link)) links.push(link)
    else wrong.push(`Line ${sealAt + i + 2} is no link of the chain`)
  })
  wrong.push(...checkParts(lines.slice(0, sealAt), seal), ...checkChain(links))
  const lastLink = links.at(-1)
  if (!lastLink || lastLink.link !== seal.seal)
    wrong.push(`The link of this file, ${seal.seal}, is not the last of its chain`)
  else if (lastLink.content !== seal.content)
    wrong.push(`The seal was changed: link ${lastLink.link} has another content`)
  return {
    wrong,
    links,
    parts: seal.parts.length,
    subject: lastLink?.subject ?? null,
    own: lastLink ? { no: lastLink.link, at: lastLink.at, sha256: lastLink.sha256 } : null,
  }
}

const firstOf = ({ links }: Pick<Verdict, 'links'>): number => links[0]?.link ?? 0
const lastOf = ({ links }: Pick<Verdict, 'links'>): number => links.at(-1)?.link ?? 0

/** Compares files of one customer: the same link must be equal in all, and each file must share a link with the others. Returns the mistakes. */
export const compareChains = (verdicts: readonly Pick<Verdict, 'links'>[]): string[] => {
  const seen = new Map<number, string>()
  const wrong = new Set<string>()
  const chained = verdicts.filter(({ links }) => links.length > 0).toSorted((a, b) => firstOf(a) - firstOf(b))
  let last = chained[0] ? lastOf(chained[0]) : 0
  for (const one of chained) {
    if (firstOf(one) > last)
      wrong.add(
        `The chains have no link in common: one ends with link ${last}, another begins with link ${firstOf(one)}. Add a record from between them.`,
      )
    last = Math.max(last, lastOf(one))
  }
  for (const { links } of verdicts)
    for (const { link, sha256: sum } of links) {
      if (seen.has(link) && seen.get(link) !== sum) wrong.add(`The files are of different chains: link ${link} differs`)
      seen.set(link, seen.get(link) ?? sum)
    }
  return [...wrong]
}
