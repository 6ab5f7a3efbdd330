import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { pagePolicy } from './security-headers.ts'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gridmast</title><style>
:root { color-scheme: light dark; font: 16px/1.5 Inter, system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box;
  background: light-dark(#f4f6f8, #0e1420); color: light-dark(#111827, #e6eaf0) }
main { max-width: 440px; padding: 32px; border-radius: 12px; background: light-dark(#fff, #161e2c) }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3 }
p { margin: 0 0 8px }
p[lang=da] { color: light-dark(#5b6472, #a3adbb) }
a { display: inline-block; margin-top: 16px; padding: 10px 16px; border-radius: 8px; background: #0b2545; color: #fff; text-decoration: none }
a:focus-visible { outline: 3px solid light-dark(#2f6fd0, #8fb8ff); outline-offset: 2px }
</style><main><h1>${m.fileLinkEnded}</h1>
<p>A link to a file works once, for one minute, and in the browser in which the download started.</p>
<p lang="da">Linket til filen er udløbet: Det virker kun én gang, i ét minut og i den browser, hvor det blev hentet. Hent filen igen.</p>
<a href="/">Gridmast</a></main></html>`

/** For a person who opens the link of a file in a tab; programs are answered in the envelope. */
export const sendLinkPage = (reply: FastifyReply) =>
  reply.code(404).type('text/html; charset=utf-8').header('content-security-policy', pagePolicy).send(page)
