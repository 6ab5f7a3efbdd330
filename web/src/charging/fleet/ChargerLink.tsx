import { Link } from '@tanstack/react-router'
import { useCan } from '#lib/user.tsx'

type Props = { chargerId: string; name: string; session?: string | null }

/** Leads to the charger's day, or to one session of it, where this user may see it. */
export const ChargerLink = ({ chargerId, name, session = null }: Props) =>
  useCan('ev-charging.read') ? (
    <Link
      to="/e3-App/evCharging"
      search={session === null ? { chargerId } : { tab: 'transactions', session }}
      className="gm-link"
    >
      {name}
    </Link>
  ) : (
    name
  )
