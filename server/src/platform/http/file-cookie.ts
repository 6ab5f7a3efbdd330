import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The one-time ticket of a file is a cookie for the path of that file, so no URL and no log contains it (security
 * rules S7, L5).
 */
const form = /^[\w-]{43}$/

/** One name per URL, because downloads run in parallel. */
const nameOf = (url: string) => `gm_file_${hash('sha256', url).slice(0, 16)}`
const pathOf = (url: string) => url.split('?', 1)[0] ?? url

/** HEAD requests and calls with a token use up no ticket. */
export const ticketOf = ({ method, url, headers, server }: FastifyRequest): string | undefined => {
  if (method !== 'GET' || headers.authorization !== undefined || headers.cookie === undefined) return undefined
  const value = server.parseCookie(headers.cookie)[nameOf(url)]
  return value !== undefined && form.test(value) ? value : undefined
}

export const giveTicket = (reply: FastifyReply, ticket: string, isHttps: boolean): void => {
  const { url } = reply.request
  const scope = { path: pathOf(url), maxAge: 60, httpOnly: true, sameSite: 'strict', secure: isHttps } as const
  void reply.setCookie(nameOf(url), ticket, scope)
}

export const clearTicket = (reply: FastifyReply): void => {
  const { url } = reply.request
  void reply.clearCookie(nameOf(url), { path: pathOf(url) })
}
