import * as contract from '@gridmast/contract/settlement/statements.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { extractText } from 'unpdf'
import { openTestApp } from '#testing/app.ts'
import { addBid, clear, decide, measure, placeRequest, setContract, settleDue } from '#testing/settlements.ts'
import { addChargers, monthlyCharging } from '#testing/chargers.ts'
import { sendDue } from './send.ts'
import { settlementStatement } from './settlement-statement.ts'

export const first = '2026-09-01'
export const kinds = [settlementStatement, monthlyCharging]
export const [before, due] = ['2026-10-05T05:59:00Z', '2026-10-05T06:00:00Z']

type Mailed = {
  to: string
  subject: string
  text: string
  unsubscribe: string
  attachments: { name: string; base64: string }[]
}

export const printedBytes = async (bytes: Buffer): Promise<string> =>
  (await extractText(new Uint8Array(bytes), { mergePages: true })).text.replaceAll(/\s+/g, ' ')

/** North with a request of September; `restart` settles its first two days: 1.40 EUR for the company. */
export const openStatements = async () => {
  const app = await openTestApp({ PUBLIC_URL: 'https://portal.example' })
  await addChargers(app.records, [{ identity: 'CP1' }])
  const of = await placeRequest(app.records, first)
  const token = () => app.tokenOf('sudoer@north.example')

  const download = async (query: Record<string, string>, month = '2026-09', as = token()) => {
    const { rawPayload, statusCode } = await app.http.inject({
      method: 'GET',
      url: `/api/client/statement/${month}`,
      query,
      headers: { authorization: `Bearer ${await as}` },
    })
    return { status: statusCode, bytes: rawPayload }
  }

  return {
    app,
    of,
    token,
    download,
    printed: async (query: Record<string, string> = {}) => printedBytes((await download(query)).bytes),
    restart: async () => {
      app.setNow('2026-09-20T06:00:00Z')
      await app.byHand(async (tx) => {
        for (const table of ['statement_reader', 'statement_sent', 'statement_version', 'outbox'] as const)
          await tx.deleteFrom(table).execute()
      })
      await clear(app)
      await setContract(app.records, of)
      for (const day of [first, addDays(first, 1)]) await addBid(app.records, of, day, 10)
      await measure(app, of, first)
      await decide(app.records, '2.50')
      await settleDue(app, 0)
    },
    addReader: async (body: object = {}) =>
      app.ask(contract.addStatementReader, {
        token: await token(),
        body: { email: 'Books@north.example', kind: 'settlement', ...body },
      }),
    sendAt: async (iso: string) => {
      app.setNow(iso)
      await sendDue(app, kinds)
    },
    mails: async () => {
      const rows = await app.records.system((tx) =>
        tx
          .selectFrom('outbox')
          .select((outbox) => outbox.ref('payload').$castTo<Mailed>().as('mail'))
          .where('kind', '=', 'mail')
          .orderBy('created_at')
          .execute(),
      )
      return rows.map(({ mail }) => mail)
    },
  }
}
