// An oxlint plugin of the portal. `empty-needs-data`: 'none' is stated only where the answer is there. `read.data?.rows ?? []` is empty while the
// An oxlint plugin. `empty-needs-data`: an empty list may only be reported once the answer has arrived, because `read.data?.rows ?? []` is
// also empty while the call is pending and after it failed. `one-clock`: the device's clock may be wrong, #lib/clock.ts follows the server's.
// `no-words-at-load`: a text translated at module load keeps the language of that moment.

type Node = {
  type: string
  parent?: Node
  [key: string]: unknown
}
type Scope = { variables: { name: string; defs: { node: Node }[] }[]; upper: Scope | null }
type Context = {
  report: (problem: { node: Node; message: string }) => void
  sourceCode: { getText: (node: Node) => string; getScope: (node: Node) => Scope }
}

const message =
  'An empty list may be an answer that is pending or failed: give the query to ListPanel, or state this only where its data is there.'

/** Attributes that wait for `read` themselves, or that report nothing. */
const waits = new Set(['emptyReason', 'empty', 'disabled', 'checked'])

const isGuess = (node: Node | undefined, context: Context): boolean =>
  node !== undefined && /\bdata\?\.[\s\S]*\?\? \[\]/.test(context.sourceCode.getText(node))

const initOf = (name: string, node: Node, context: Context): Node | undefined => {
  for (let scope: Scope | null = context.sourceCode.getScope(node); scope; scope = scope.upper) {
    const found = scope.variables.find((one) => one.name === name)
    if (found) return found.defs[0]?.node['init'] as Node | undefined // a declarator has one, a parameter has none
  }
  return undefined
}

/** The expression, or the initial value of its variable, two steps back. */
const isGuessed = (node: Node, context: Context, steps = 2): boolean => {
  if (node.type !== 'Identifier') return isGuess(node, context)
  const init = initOf(String(node['name']), node, context)
  if (!init || steps === 0) return false
  if (isGuess(init, context)) return true
  const [, first] = /^(\w+)(?:\(|\.(?:filter|map|flatMap|toSorted)\b)/.exec(context.sourceCode.getText(init)) ?? []
  const from = first === undefined ? undefined : initOf(first, init, context)
  return from !== undefined && isGuess(from, context)
}

const statesNothing = (node: Node): boolean => {
  for (let at: Node | undefined = node.parent; at; at = at.parent)
    if (at.type === 'JSXAttribute') return waits.has(String((at['name'] as Node)['name']))
  return false
}

/** `!isPending && !error && rows.length === 0` checks both. */
const isGuarded = (test: Node, context: Context): boolean => {
  let whole = test
  while (whole.parent?.type === 'LogicalExpression') whole = whole.parent
  const text = context.sourceCode.getText(whole)
  return /isPending/.test(text) && /error|failed/i.test(text)
}

const emptyNeedsData = {
  create: (context: Context) => ({
    JSXOpeningElement: (element: Node) => {
      if ((element['name'] as Node)['name'] !== 'DataTable') return
      for (const attribute of element['attributes'] as Node[]) {
        const value = attribute['value'] as Node | null | undefined
        if ((attribute['name'] as Node | undefined)?.['name'] !== 'rows' || value?.type !== 'JSXExpressionContainer')
          continue
        if (isGuessed(value['expression'] as Node, context)) context.report({ node: attribute, message })
      }
    },
    ConditionalExpression: (choice: Node) => {
      const [asked, otherwise] = [choice['test'], choice['alternate']].map((part) =>
        context.sourceCode.getText(part as Node),
      )
      if (/^[\w.]+\.isPending$/.test(asked ?? '') && /<Empty\b|t\('No(thing)? /.test(otherwise ?? ''))
        context.report({ node: choice, message })
    },
    BinaryExpression: (test: Node) => {
      const { left, parent } = test as unknown as { left: Node; parent: Node }
      if (test['operator'] !== '===' || context.sourceCode.getText(test['right'] as Node) !== '0') return
      if (left.type !== 'MemberExpression' || (left['property'] as Node)['name'] !== 'length') return
      if (!['LogicalExpression', 'ConditionalExpression'].includes(parent.type) || statesNothing(test)) return
      if (isGuarded(test, context)) return
      if (isGuessed(left['object'] as Node, context)) context.report({ node: test, message })
    },
  }),
}

const oneClock = {
  create: (context: Context) => ({
    CallExpression: (call: Node) => {
      if (context.sourceCode.getText(call) === 'Date.now()')
        context.report({ node: call, message: 'The time of the server: currentMs() of #lib/clock.ts' })
    },
    NewExpression: (made: Node) => {
      if (context.sourceCode.getText(made) === 'new Date()')
        context.report({ node: made, message: 'The time of the server: currentMs() of #lib/clock.ts' })
    },
  }),
}

/** Outside of any function. */
const isAtLoad = (node: Node): boolean => {
  for (let at = node.parent; at; at = at.parent) if (/Function|^PropertyDefinition$/.test(at.type)) return false
  return true
}

const noWordsAtLoad = {
  create: (context: Context) => ({
    CallExpression: (call: Node) => {
      const { callee } = call as unknown as { callee: Node }
      if (callee.type !== 'Identifier' || !isAtLoad(call)) return
      const name = String(callee['name'])
      const init = initOf(name, call, context)
      const translates = ['t', 'translateText'].includes(name)
        ? init === undefined
        : init && /\b(t|translateText)\(/.test(context.sourceCode.getText(init))
      if (translates)
        context.report({
          node: call,
          message: 'The language is chosen later, and changes: translate within a function',
        })
    },
  }),
}

export default {
  meta: { name: 'gridmast' },
  rules: { 'empty-needs-data': emptyNeedsData, 'one-clock': oneClock, 'no-words-at-load': noWordsAtLoad },
}
