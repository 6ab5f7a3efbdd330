import { randomBytes } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { type Config, portalAddress } from '#config.ts'
import { queueMails } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { tokenSha256 } from '#platform/security/token.ts'
import { confirmAddress } from './mails.ts'
import { sqlRows } from '#platform/records/rows.ts'

export const findUnconfirmed = async (tx: Tx, customerId: string, emails: readonly string[]): Promise<Set<string>> => {
  const rows = await sqlRows<{ email: string }>(tx)`
    select distinct lower(email) as email from unnest(${emails}::text[]) as email
    where not is_confirmed(${customerId}, email)`
  return new Set(rows.map(({ email }) => email))
}

/** Queues a confirmation mail to each unconfirmed address: at most one a day per address, and `limits.confirmationsADay` per company. */
export const queueConfirmations = async (
  tx: Tx,
  config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  { customerId, emails, nowMs }: { customerId: string; emails: readonly string[]; nowMs: number },
): Promise<void> => {
  const [now, dayAgo] = [new Date(nowMs), new Date(nowMs - dayMs)]
  const company = await sqlRows<{ name: string; requested: number }>(tx)`
    select name, (select count(*)::int from address_confirmation a
      where a.customer_id = c.customer_id and a.requested_at > ${dayAgo}) as requested
    from customer c where customer_id = ${customerId} for no key update`
  const { name = '', requested = 0 } = company[0] ?? {}
  const unconfirmed = [...(await findUnconfirmed(tx, customerId, emails))]
    .slice(0, Math.max(0, limits.confirmationsADay - requested))
    .map((email) => ({ email, token: randomBytes(32).toString('base64url') }))
  const hashes = unconfirmed.map(({ email, token }) => ({ email, sha256: tokenSha256(token).toString('hex') }))
  const rows = await sqlRows<{ email: string }>(tx)`
    insert into address_confirmation as a (customer_id, email, token_sha256, expires_at, requested_at)
    select ${customerId}, email, decode(sha256, 'hex'), ${new Date(nowMs + limits.confirmationLifeMs)}, ${now}
    from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as new_row(email text, sha256 text)
    on conflict (customer_id, email) do update
      set token_sha256 = excluded.token_sha256, expires_at = excluded.expires_at, requested_at = excluded.requested_at
      where a.requested_at <= ${dayAgo}
    returning email`
  const saved = new Set(rows.map(({ email }) => email))
  const mails = unconfirmed
    .filter(({ email }) => saved.has(email))
    .map(({ email, token }) => ({
      reader: { customerId, to: email },
      letter: confirmAddress({
        company: name,
        email,
        days: limits.confirmationLifeMs / dayMs,
        link: portalAddress(config, `/auth/confirm-address/${token}`),
      }),
      when: { nowMs },
    }))
  await queueMails(tx, mails)
}

export const useConfirmation = (tx: Tx, token: string, nowMs: number) =>
  tx
    .updateTable('address_confirmation')
    .set({ confirmed_at: new Date(nowMs), token_sha256: null })
    .where('token_sha256', '=', tokenSha256(token))
    .where('expires_at', '>', new Date(nowMs))
    .returning(['customer_id', 'email'])
    .executeTakeFirst()
