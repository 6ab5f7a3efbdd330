export type ServerEvent = { event: string; data: string }

/** Cuts a byte stream of server-sent events into events; fields other than `event` and `data` are ignored. */
export const eventParser = (onEvent: (event: ServerEvent) => void) => {
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let data: string[] = []
  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n') })
      event = ''
      data = []
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return (bytes: Uint8Array) => {
    rest += decoder.decode(bytes, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) line(text.endsWith('\r') ? text.slice(0, -1) : text)
  }
}
