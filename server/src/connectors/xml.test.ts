import { describe, expect, test } from 'vitest'
import { BadXml, childrenOf, parseXml, textAt } from './xml.ts'

describe('documents', () => {
  test('elements, attributes, text and entities, without prefixes', () => {
    const root = parseXml(
      `<?xml version="1.0"?><!-- made --><g:a xmlns:g="x"><b k="1 &amp; 2" l='"'>t &lt; &#229;&#xe5;</b><b/><c><d> deep </d></c></g:a>\n`,
    )
    expect(root.name).toBe('a')
    const [b, empty] = childrenOf(root, 'b')
    expect(Object.fromEntries(b?.attributes ?? [])).toEqual({ k: '1 & 2', l: '"' })
    expect(b?.text).toBe('t < åå')
    expect(empty?.text).toBe('')
    expect(textAt(root, 'c', 'd')).toBe('deep')
    expect(textAt(root, 'c', 'x')).toBeNull()
  })

  test('100,000 elements are read in one go', () => {
    expect(childrenOf(parseXml(`<a>${'<b>1</b>'.repeat(100_000)}</a>`), 'b')).toHaveLength(100_000)
  })
})

test.each([
  ['L4 a document type', '<!DOCTYPE a><a/>'],
  ['L4 an entity of its own', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'],
  ['L4 an entity that is not known', '<a>&e;</a>'],
  ['L4 CDATA', '<a><![CDATA[x]]></a>'],
  ['a tag that closes nothing', '<a></b></a>'],
  ['a cut-off document', '<a><b>1</b'],
  ['an element that is not closed', '<a><b>1</b>'],
  ['two roots', '<a/><b/>'],
  ['text outside', '<a/>x'],
  ['nothing', ''],
  ['L4 depth', '<a>'.repeat(50) + '</a>'.repeat(50)],
])('%s is refused', (_, text) => {
  expect(() => parseXml(text)).toThrow(BadXml)
})
