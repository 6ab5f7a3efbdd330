import { logout } from '@gridmast/contract/people/auth.ts'
import { send } from './api.ts'
import { removeAccount, type SavedAccount } from './session.ts'

/** Takes an account off this device, and ends its session, since nobody here could end it later. */
export const forgetAccount = ({ id, token }: SavedAccount) => {
  removeAccount(id)
  if (token) void send(logout, {}, undefined, token).catch(() => {}) // a dead or unreachable session is as good as ended
}
