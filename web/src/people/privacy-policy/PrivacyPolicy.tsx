import { Link } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import classes from '#people/people.module.css'

const privacyParts = [
  [
    'Data controller',
    'The company that operates the chargers is the controller of your data. Gridmast processes it on that company’s behalf and on its instructions only.',
  ],
  [
    'Data collected',
    'Your name, e-mail address and phone number; the number of your charging tag; and for each session the charger, the connector, start and end, the energy delivered and the price.',
  ],
  [
    'Purposes',
    'To let you start and stop a charging session, to bill it, to show you your history, and to keep the chargers and the grid safe. It is never sold, and never used for advertising.',
  ],
  [
    'Location and camera',
    'The app asks for your location only to show chargers near you, and for the camera only to read the code on a charger. Neither is stored. The app works without both.',
  ],
  [
    'Retention',
    'Billing records are kept for five years after the end of the financial year, as the Danish Bookkeeping Act demands. Everything else is deleted within 12 months of your last session, or when you close your account.',
  ],
  [
    'Recipients',
    'The payment provider receives the data that a payment requires, and authorities the data that the law requires. Data is stored within the European Union.',
  ],
  [
    'Your rights',
    'You may see, correct, export and delete your data, and object to its use. Write to the operator of the chargers; the address is on your invoice. You may complain to the Danish Data Protection Agency (Datatilsynet).',
  ],
] as const

const PrivacyPolicy = () => (
  <main className={classes.page}>
    <p>
      <Link to="/auth/login" className="gm-link gm-touch">
        Gridmast
      </Link>
    </p>
    <h1>{t('Privacy policy of the charging app')}</h1>
    {privacyParts.map(([title, words]) => (
      <section key={title}>
        <h2>{t(title)}</h2>
        <p>{t(words)}</p>
      </section>
    ))}
  </main>
)

export default PrivacyPolicy
