import { logout } from '@gridmast/contract/people/auth.ts'
import { send } from './api.ts'
import { removeAccount, type SavedAccount } from './session.ts'

/** Removes an account from this device and ends its session, which could not be ended here later. */
export const forgetAccount = ({ id, token }: SavedAccount) => {
  removeAccount(id)
  if (token) void send(logout, {}, undefined, token).catch(() => {}) // an ended or unreachable session needs no error
}
