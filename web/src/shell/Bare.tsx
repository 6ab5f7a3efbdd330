import { Outlet } from '@tanstack/react-router'
import { useTitle } from './current-screen.ts'

/** The frame of pages without a session: none. */
export const Bare = () => {
  useTitle(null)
  return <Outlet />
}
