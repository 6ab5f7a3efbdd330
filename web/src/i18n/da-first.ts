import type { FiguredSentence, PlainSentence } from '@gridmast/contract/messages.ts'
import type { roleNames } from '@gridmast/contract/roles.ts'
import contract from './da/contract.ts'
import contractProducts from './da/contract-products.ts'
import home from './da/home.ts'
import shell from './da/shell.ts'

type OfContract = PlainSentence | FiguredSentence | (typeof roleNames)[keyof typeof roleNames]

/** Danish of the first load: sign-in, the shell, home and the contract. `tools/web-budget.ts` fails when one of their sentences is not here. */
export default { ...contract, ...contractProducts, ...shell, ...home } satisfies Record<OfContract, string>
