import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { type Holds, personTables, type Table } from './person-tables.ts'

export type Person = {
  /** Present and earlier addresses in lower case; an address that another account has now is excluded. */
  addresses: string[]
  account: {
    customerId: string
    userId: string
    role: string
    enabled: boolean
    /** Null when another user of the company has the same name: rows with the name alone belong to either of them. */
    name: string | null
    fullName: string
    phone: string | null
  } | null
  /** Numbers of charging tags with the name or an address of the person. */
  tags: string[]
}

type AccountRow = {
  customer_id: string
  user_id: string
  role: string
  enabled: boolean
  name: string
  contact: string | null
  is_only: boolean
}

export const findPerson = async (tx: Tx, email: string): Promise<Person> => {
  const address = email.trim().toLowerCase()
  // Any other text, also an empty one, would be replaced in rows of other people.
  if (!/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(address)) throw new Error(`'${email}' is not an email address`)
  const [row] = await sqlRows<AccountRow>(tx)`
    select customer_id, user_id, role, enabled, name, contact, not exists (
      select from app_user o where o.customer_id = u.customer_id and o.user_id <> u.user_id and lower(o.name) = lower(u.name)) as is_only
    from app_user u where lower(email) = ${address}`
  if (!row) return { addresses: [address], account: null, tags: [] }
  const earlier = await sqlRows<{ address: string }>(tx)`
    select distinct address from (
      select lower(value ->> 'email') as address from audit_entry, lateral (values (before), (after)) both_sides (value)
      where customer_id = ${row.customer_id} and user_id = ${row.user_id} and action in ('profile.email', 'profile.email-undone')
    ) found
    where address is not null and address <> ${address} and not exists (select from app_user where lower(email) = address)`
  const addresses = [address, ...earlier.map((one) => one.address)]
  const names = [...(row.is_only ? [row.name.toLowerCase()] : []), ...addresses]
  const tags = await sqlRows<{ tag: string }>(tx)`
    select tag from charger_tag where customer_id = ${row.customer_id} and lower(name) = any(${names}) order by tag`
  return {
    addresses,
    account: {
      customerId: row.customer_id,
      userId: row.user_id,
      role: row.role,
      enabled: row.enabled,
      name: row.is_only ? row.name : null,
      fullName: row.name,
      phone: row.contact || null,
    },
    tags: tags.map(({ tag }) => tag),
  }
}

/** What replaces the person in rows that are kept. The id is new, because ids of provisioned users are derived from their addresses. */
export type Pseudonym = { name: string; address: string; userId: string; tagOf: (tag: string) => string }

export type Row = Record<string, unknown>

const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Each address as a whole: eva@nordhavn.example is no part of leva@nordhavn.example. */
export const addressPattern = (addresses: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_.+-])(?:${addresses.map(quoted).join('|')})(?![\\p{L}\\p{N}_-])`, 'giu')

/** Keys of JSON whose values are the person's in entries about a profile. */
const profileKeys = new Set(['name', 'contact', 'email', 'countryCode'])

/**
 * Replaces the person in the values of a row. A row belongs to the person when a value changes, which decides for export and erasure alike.
 */
export const openReplacer = ({ addresses, account, tags }: Person, pseudonym: Pseudonym) => {
  const address = addressPattern(addresses)
  const tagSet = new Set(tags)
  const isAddress = (text: string) => addresses.includes(text.toLowerCase())

  const inText = (text: string) => text.replaceAll(address, pseudonym.name)
  const inParts = (text: string) =>
    text
      .split('|')
      .map((part) => (tagSet.has(part) ? pseudonym.tagOf(part) : part))
      .join('|')
  const byName = (text: string) => account?.name?.toLowerCase() === text.toLowerCase()

  const inJson = (value: unknown, isOwn: boolean, isProfile: boolean): unknown => {
    if (typeof value === 'string') {
      if (isOwn && (value === account?.fullName || value === account?.phone)) return pseudonym.name
      if (isOwn && value === account?.userId) return pseudonym.userId
      if (isOwn && tagSet.has(value)) return pseudonym.tagOf(value)
      const frame = isOwn
        ? tags.reduce((text, tag) => text.replaceAll(JSON.stringify(tag), JSON.stringify(pseudonym.tagOf(tag))), value)
        : value
      return inText(frame)
    }
    if (Array.isArray(value)) return value.map((item) => inJson(item, isOwn, isProfile))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isProfile && profileKeys.has(key) && typeof item === 'string' ? pseudonym.name : inJson(item, isOwn, isProfile),
      ]),
    )
  }

  const replaceValue = (holds: Holds, value: unknown, row: Row, isProfile: boolean): unknown => {
    const isOwn = account !== null && row['customer_id'] === account.customerId
    if (holds === 'json') return inJson(value, isOwn, isProfile)
    if (typeof value !== 'string') return value
    switch (holds) {
      case 'user':
        return value === account?.userId ? pseudonym.userId : value
      case 'address':
        return isAddress(value) ? pseudonym.address : value
      case 'by':
      case 'holder':
        return isAddress(value) || (isOwn && byName(value)) ? pseudonym.name : inText(value)
      case 'tag':
        return isOwn ? inParts(value) : value
      case 'text':
        return inText(value)
      default:
        return value
    }
  }

  /** The changed columns, in their order in the table's list. */
  return (table: Table, row: Row): { changed: Row; isOfPerson: boolean } => {
    const spec = personTables[table]
    const isAccountEntry = account !== null && row['user_id'] === account.userId
    const isProfile = table === 'audit_entry' && isAccountEntry && /^(?:profile|user)\./.test(String(row['action']))
    const changed: Row = {}
    let isOfPerson = false
    for (const [column, holds] of Object.entries<Holds>(spec?.columns ?? {})) {
      const value = row[column]
      const replaced = replaceValue(holds, value, row, isProfile)
      if (JSON.stringify(replaced) === JSON.stringify(value)) continue
      changed[column] = replaced
      if (holds === 'user' || holds === 'address' || holds === 'holder') isOfPerson = true
    }
    const sentTo = spec?.address === undefined ? undefined : (row[addressColumn] as string | null)
    if (typeof sentTo === 'string' && isAddress(sentTo)) isOfPerson = true
    return { changed, isOfPerson }
  }
}

const addressColumn = 'the_address'
/** The place of the row, valid in the transaction that locked it. */
export const placeColumn = 'the_place'

const like = (text: string) => `%${text.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`

/** Wider than the rows of the person: `openReplacer` decides. */
const mayHold = (column: RawBuilder<unknown>, holds: Holds, { addresses, account, tags }: Person) => {
  const patterns = addresses.map(like)
  switch (holds) {
    case 'user':
      return account ? sql`${column} = ${account.userId}` : null
    case 'address':
      return sql`lower(${column}) = any(${addresses})`
    case 'by':
    case 'holder':
      return sql`(${column} ilike any(${patterns}) or lower(${column}) = ${account?.name?.toLowerCase() ?? addresses[0]})`
    case 'tag':
      return tags.length > 0 ? sql`string_to_array(${column}, '|') && ${tags}::text[]` : null
    case 'text':
      return sql`${column} ilike any(${patterns})`
    case 'json':
      return sql`${column}::text ilike any(${[...patterns, ...tags.map(like)]})`
    default:
      return null
  }
}

const columnsOf = (table: Table) => Object.entries<Holds>(personTables[table]?.columns ?? {})

/**
 * Rows of a table that may be the person's, with their place and the address that is part of another column. Without secrets: columns of bytes
 * are none of a person's data that can be read.
 */
export const findRows = async (tx: Tx, table: Table, person: Person, { lock = false } = {}): Promise<Row[]> => {
  const spec = personTables[table]
  const conditions = columnsOf(table).flatMap(([column, holds]) => mayHold(sql.ref(`t.${column}`), holds, person) ?? [])
  const at = spec?.address === undefined ? sql`null::text` : sql.raw(spec.address)
  if (spec?.address !== undefined) conditions.push(sql`lower(${at}) = any(${person.addresses})`)
  if (conditions.length === 0) return []
  const rows = await sql<Row>`
    select t.*, t.ctid::text as ${sql.ref(placeColumn)}, ${at} as ${sql.ref(addressColumn)} from ${sql.table(table)} t
    where ${sql.join(conditions, sql` or `)} ${lock ? sql`for update` : sql``}`.execute(tx)
  return rows.rows
}

/** The row as it is exported: without secrets, bytes and the columns of `findRows`. */
export const readableRow = (table: Table, row: Row): Row => {
  const secrets = new Set(columnsOf(table).flatMap(([column, holds]) => (holds === 'secret' ? [column] : [])))
  return Object.fromEntries(
    Object.entries(row).filter(
      ([column, value]) =>
        !secrets.has(column) && !Buffer.isBuffer(value) && column !== placeColumn && column !== addressColumn,
    ),
  )
}
