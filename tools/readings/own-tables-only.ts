/**
 * Allows only the portal's own statements to the readings server: the engine has no user rights, its `default` database exposes local files as
 * tables, and most of its functions are callable. Anything not listed is refused: quoted names, comments, parameters, tables of other
 * databases, functions, settings, formats.
 */

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/))

const functions =
  setOf(`argMax argMin Array bitShiftLeft bitXor cityHash64 count fromUnixTimestamp64Milli if intDiv max min reinterpretAsInt64 reinterpretAsUInt64
  roundDown sum sumIf toDateTime toInt64 toStartOfMinute toString toUInt32 toUInt64 toUInt128 toUnixTimestamp toUnixTimestamp64Milli toYYYYMM`)
const systemTables = setOf('parts detached_parts')
/** Keywords are never names, so one may follow a name. */
const keywords = setOf(
  'select distinct from final prewhere where and or not in like as group by order desc asc limit union all settings format',
)
/** After a table neither a second one (comma, join) nor an alias is allowed. */
const afterTable = setOf('final prewhere where group order limit union settings format')
const settings = setOf('max_query_size max_threads output_format_json_quote_64bit_integers precise_float_parsing')
const answerFormats = setOf(
  'TabSeparated JSON JSONCompact JSONEachRow JSONCompactEachRow JSONStringsEachRow JSONColumnsWithMetadata',
)
/** Rows of these formats are data; those of `Values` may be expressions. */
const rowFormats = setOf('TabSeparated JSONEachRow')

type Token = { kind: 'word' | 'number' | 'text' | 'sign' | 'end'; text: string }

const refused = (what: string) =>
  new Error(`Code: 497. DB::Exception: This server answers from its own tables only: ${what}. (ACCESS_DENIED)`)

/** A sign is one character; a second one that would start a comment is matched separately. */
const lexeme =
  /([ \t\r\n]+)|([A-Za-z_]\w*)|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)|('(?:[^'\\\0]|''|\\[^\0])*'(?!'))|(--|\/\*|\/\/)|([()[\],.=<>!+\-*/%:])/y
const end: Token = { kind: 'end', text: '' }

const tokensOf = (sql: string): Token[] => {
  const tokens: Token[] = []
  lexeme.lastIndex = 0
  while (lexeme.lastIndex < sql.length) {
    const at = lexeme.lastIndex
    const [, blank, word, number, text, comment, sign] = lexeme.exec(sql) ?? []
    if (blank !== undefined) continue
    if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (text !== undefined) tokens.push({ kind: 'text', text })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else throw refused(comment === undefined ? `${JSON.stringify(sql[at])} at character ${at + 1}` : 'a comment')
  }
  return tokens
}

const isKeyword = ({ kind, text }: Token, ...names: string[]) =>
  kind === 'word' && (names.length > 0 ? names.includes(text.toLowerCase()) : keywords.has(text.toLowerCase()))
const isSign = ({ kind, text }: Token, sign: string) => kind === 'sign' && text === sign
const isName = (token: Token) => token.kind === 'word' && !isKeyword(token)
const isOperand = (token: Token) => isName(token) || token.kind === 'number' || token.kind === 'text'
const isSingle = (token: Token) => token.kind === 'number' || token.kind === 'text' || isSign(token, '-')

/** A list allows only numbers and texts, because a name may be a table, as in `x in (table)`. */
type Bracket = { closes: ')' | ']'; holds: 'anything' | 'list' | 'table' }

const checkSelect = (tokens: readonly Token[]): void => {
  const tokenAt = (i: number): Token => tokens[i] ?? end
  const open: Bracket[] = []
  let isAfterTable = false
  let i = 0

  const checkSettings = () => {
    do {
      const [name, equals, value] = [tokenAt(i), tokenAt(i + 1), tokenAt(i + 2)]
      if (!settings.has(name.text) || !isSign(equals, '=') || value.kind !== 'number')
        throw refused(`the setting ${name.text}`)
      i += 4
    } while (isSign(tokenAt(i - 1), ','))
    i--
  }
  const checkTable = () => {
    const [database, dot, table] = [tokenAt(i), tokenAt(i + 1), tokenAt(i + 2)]
    const isOwn = database.text === 'gridmast' || (database.text === 'system' && systemTables.has(table.text))
    if (!isOwn || !isSign(dot, '.') || !isName(table)) throw refused(`from ${database.text}${dot.text}${table.text}`)
    i += 3
    isAfterTable = true
  }
  /** `from` a table, `numbers`, or a nested select. */
  const checkFrom = () => {
    const [first, second, third, fourth] = [tokenAt(i), tokenAt(i + 1), tokenAt(i + 2), tokenAt(i + 3)]
    if (isSign(first, '(')) {
      if (!isKeyword(second, 'select')) throw refused(`from (${second.text}`)
      open.push({ closes: ')', holds: 'table' })
      i++
    } else if (first.text === 'numbers' && isSign(second, '(') && third.kind === 'number' && isSign(fourth, ')')) {
      i += 4
      isAfterTable = true
    } else checkTable()
  }
  const checkBracket = (token: Token, before: Token) => {
    if (isSign(token, '(') && isName(before) && !functions.has(before.text)) throw refused(`${before.text}()`)
    if (isSign(token, '[')) open.push({ closes: ']', holds: 'anything' })
    else if (isSign(token, '(')) {
      const isList = isKeyword(before, 'in') && !isKeyword(tokenAt(i), 'select')
      open.push({ closes: ')', holds: isList ? 'list' : 'anything' })
    } else {
      const bracket = open.pop()
      if (bracket?.closes !== token.text) throw refused(`an odd ${token.text}`)
      isAfterTable = bracket.holds === 'table'
    }
  }

  while (i < tokens.length) {
    const [before, token] = [i > 0 ? tokenAt(i - 1) : end, tokenAt(i)]
    const isBracket = token.kind === 'sign' && '()[]'.includes(token.text)
    if (isAfterTable && !isSign(token, ')') && !(isKeyword(token) && afterTable.has(token.text.toLowerCase())))
      throw refused(`${token.text} after a table`)
    isAfterTable &&= isKeyword(token, 'final')
    if (open.at(-1)?.holds === 'list' && !isSingle(token) && !isSign(token, ',') && !isSign(token, ')'))
      throw refused(`${token.text} in a list`)
    // Two adjacent operands are an unknown word such as `apply`, or a statement that is invalid anyway.
    if (isOperand(token) && (isOperand(before) || isSign(before, ')') || isSign(before, ']'))) throw refused(token.text)
    // A keyword must not be the alias of a table that a second one follows.
    if (isSign(token, ',') && isKeyword(before) && !isKeyword(before, 'asc', 'desc')) throw refused(`${before.text},`)
    if (isKeyword(before, 'in') && !isSign(token, '(')) throw refused(`in ${token.text}`)
    i++
    if (isBracket) checkBracket(token, before)
    else if (isKeyword(token, 'from')) checkFrom()
    else if (isKeyword(token, 'settings')) checkSettings()
    else if (isKeyword(token, 'format')) {
      const name = tokenAt(i++)
      if (!answerFormats.has(name.text) || i < tokens.length) throw refused(`format ${name.text}`)
    }
  }
  if (open.length > 0) throw refused('a bracket that stays open')
}

const checkValues = (tokens: readonly Token[]): void => {
  const other = tokens.find((token) => !isSingle(token) && !['(', ')', ','].includes(token.text))
  if (other) throw refused(`${other.text} as a value`)
}

const insertHead = /^\s*insert\s+into\s+gridmast\.\w+\s*(?:\(\s*\w+(?:\s*,\s*\w+)*\s*\)\s*)?(?<=[\s)])/i
const formatHead = /^format\s+(\w+)(?:\s+|$)/i
/**
 * No line of the rows may look like SQL: before the first row the engine reads more of the statement (`settings`, a comment), after an empty
 * line another statement (measured, chDB 3.4).
 */
const rowsBegin = /^(?:$|\{|-?\d)/
const otherLine = /\n(?!$|\{|-?\d)/

const checkInsert = (rest: string): void => {
  const [head, format] = formatHead.exec(rest) ?? []
  if (head !== undefined && format !== undefined) {
    const data = rest.slice(head.length)
    if (!rowFormats.has(format)) throw refused(`rows as ${format}`)
    if (!rowsBegin.test(data) || otherLine.test(data)) throw refused('a line that is no row')
    return
  }
  const tokens = tokensOf(rest)
  const [first = end, ...values] = tokens
  if (isKeyword(first, 'values')) checkValues(values)
  else if (isKeyword(first, 'select')) checkSelect(tokens)
  else throw refused(`insert ${first.text}`)
}

const dropMonth = /^\s*alter\s+table\s+gridmast\.samples\s+drop\s+partition\s+'\d{6}'\s*$/i

/** Throws for any other statement. Tables are created by the exact statements of the schema only. */
export const checkOwnTablesOnly = (sql: string, schema?: ReadonlySet<string>): void => {
  if (schema?.has(sql.trim()) || dropMonth.test(sql)) return
  const [head] = insertHead.exec(sql) ?? []
  if (head !== undefined) return checkInsert(sql.slice(head.length))
  const tokens = tokensOf(sql)
  const [first = end] = tokens
  if (!isKeyword(first, 'select')) throw refused(`a statement that begins with ${first.text}`)
  checkSelect(tokens)
}

export const checkAnswerFormat = (name: string): void => {
  if (!answerFormats.has(name)) throw refused(`format ${name}`)
}

export const checkSetting = (name: string, value: string): void => {
  if (!settings.has(name) || !/^\d{1,10}$/.test(value)) throw refused(`the setting ${name}`)
}
