import contract from './da/contract.ts'
import home from './da/home.ts'
import shell from './da/shell.ts'

/** Danish of the first load: sign-in, the shell, home and the contract. `tools/web-budget.ts` fails when one of their sentences is not here. */
export default { ...contract, ...shell, ...home }
