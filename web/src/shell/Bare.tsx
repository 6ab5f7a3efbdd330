import { Outlet } from '@tanstack/react-router'
import { useTitle } from './current-screen.ts'

export const Bare = () => {
  useTitle(null)
  return <Outlet />
}
