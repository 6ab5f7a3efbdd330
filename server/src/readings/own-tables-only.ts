/** What a statement may reach: the tables of the engine itself, no file, no other server, no process. The engine behind the HTTP door has no users whose rights could say so. */

/** Table functions and scalar functions that read or write outside the engine, or run a program; families with their variants (`s3Cluster`, `remoteSecure`). */
const reachesOut =
  /^(file|url|remote|s3|gcs|oss|cosn|azure|hdfs|mysql|postgresql|mongodb|redis|sqlite|jdbc|odbc|executable|iceberg|deltalake|hudi|paimon|ytsaurus|arrowflight|cluster|dictionary|python|hive|kafka|nats|rabbitmq|catboostevaluate|odbcordictionary)/i
/** Of `engine = …`: those that keep their rows here. */
const ownEngine = /^(\w*mergetree|null|memory|atomic|view|materializedview)$/i
/** First words of statements that write or read files, run programs or change the engine's own configuration. */
const refusedStatement = /^(backup|restore|attach|detach|install|uninstall|grant|revoke|use)$/i
const refusedObject = /^(dictionary|function|named|user|role|quota|settings|row|resource|workload)$/i

/** A word, a quoted word, a text, a comment to the end of its line, white space, or any other character. */
const token = /([A-Za-z_]\w*)|[`"]((?:[^`"\\]|\\.)*)[`"]|('(?:[^'\\]|\\.)*')|(--[^\n]*|\s+)|([\s\S])/y

const refused = (what: string) =>
  new Error(`Code: 497. DB::Exception: This server answers from its own tables only: ${what}. (ACCESS_DENIED)`)

/**
 * Throws for a statement that reaches outside the engine. It is read word by word up to the data of an insert (`format` and its name);
 * texts are skipped. Characters that could begin a text in another way than here (comments of several lines, `#`, `$`, other than ASCII) are refused.
 */
export const checkOwnTablesOnly = (sql: string): void => {
  let [before, last] = ['', '']
  let isInsert = false
  let isStart = true
  token.lastIndex = 0
  for (let found = token.exec(sql); found; found = token.exec(sql)) {
    const [, bare, quoted, text, blank, other] = found
    if (blank !== undefined) continue
    const word = bare ?? quoted
    if (word !== undefined) {
      const lower = word.toLowerCase()
      if (isStart) {
        if (refusedStatement.test(lower)) throw refused(lower)
        isInsert = lower === 'insert'
      }
      if ((lower === 'outfile' && last === 'into') || (lower === 'infile' && last === 'from')) throw refused(lower)
      if (/^(create|replace|alter|drop)$/.test(last) && refusedObject.test(lower)) throw refused(lower)
      const isEngine = last === 'engine' || (last === '=' && before === 'engine')
      if (isEngine && !ownEngine.test(lower)) throw refused(lower)
      if (isInsert && last === 'format' && bare !== undefined) return
      ;[before, last, isStart] = [last, lower, false]
    } else if (text !== undefined) {
      ;[before, last] = [last, "'"]
    } else {
      if (other === undefined || /[^\x20-\x7e]|[#$]/.test(other)) throw refused('a character that is not read here')
      if (other === '*' && last === '/') throw refused('a comment')
      if (other === '(' && reachesOut.test(last)) throw refused(`${last}()`)
      ;[before, last] = [last, other]
      if (other === ';') isStart = true
    }
  }
}
