import type { ReactNode } from 'react'
import { UserProvider, useVerifiedUser } from '#lib/user.tsx'

/** What the shell does: its children once the account is verified, and again whenever that changes. */
export const Verified = ({ children }: { children: ReactNode }) => {
  const { data } = useVerifiedUser(true)
  return data && <UserProvider value={data.user}>{children}</UserProvider>
}
