// npm run login-link -- <email> [--without-second-factor]: prints a one-time sign-in address, valid for 10 minutes. The flag first removes the
// second factor of a user without phone and recovery codes, who is notified by mail. With DATABASE_URL it needs the server's SECRET_KEY (or
// DATA_DIR); otherwise it calls the running server through the data folder.
import { parseArgs } from 'node:util'
import { runOperatorCall } from './operator.ts'

const read = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'without-second-factor': { type: 'boolean', default: false } },
    })
    const [email] = positionals
    return email && positionals.length === 1 ? { email, withoutSecondFactor: values['without-second-factor'] } : null
  } catch {
    return null // an unknown flag
  }
}

const request = read()
if (request) await runOperatorCall('login-link', request)
else {
  console.error('Usage: npm run login-link -- <email> [--without-second-factor]')
  process.exitCode = 1
}
