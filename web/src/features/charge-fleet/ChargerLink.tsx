import { Link } from '@tanstack/react-router'
import { useCan } from '#lib/user.tsx'
import classes from './charge-fleet.module.css'

/** Leads to the charger's day, where this person may see it. */
export const ChargerLink = ({ chargerId, name }: { chargerId: string; name: string }) =>
  useCan('ev-charging.read') ? (
    <Link to="/e3-App/evCharging" search={{ chargerId }} className={classes.link}>
      {name}
    </Link>
  ) : (
    name
  )
