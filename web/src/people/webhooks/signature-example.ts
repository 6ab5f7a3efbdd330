/** What a receiver does with each request, in Node; `body` is the text exactly as it came. */
export const signatureExample = `import { createHmac, timingSafeEqual } from 'node:crypto'

export const isGenuine = (headers, body, secret) => {
  const id = headers['webhook-id']
  const sentAt = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${sentAt}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`
