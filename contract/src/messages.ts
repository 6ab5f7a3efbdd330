/** A sentence and the figures in it, so that another language need not read the English. */
export type Figured = { key: string; values: Record<string, number> }

// As many as there are limits and seconds to wait.
const figured = new Map<string, Figured>()

/** What a sentence with figures was made of, here or (by `keepFigures`) on the other side. */
export const figuresOf = (text: string): Figured | undefined => figured.get(text)
export const keepFigures = (text: string, made: Figured) => void figured.set(text, made)

const withFigure = <const K extends string>(key: K) =>
  Object.assign(
    (n: number) => {
      const text = key.replace('{{n}}', String(n))
      figured.set(text, { key, values: { n } })
      return text
    },
    { key },
  )

/** Every sentence of the specification that both sides say, verbatim, once. */
export const m = {
  required: 'This field is required',
  email: 'Value must be a valid email',
  loginSuccess: 'Login Success',
  logoutSuccess: 'Logout Success!',
  redirecting: 'Redirecting To Right Portal',
  jwtMalformed: 'jwt malformed',
  internal: 'Internal server error!',
  noRecords: 'No Records To Display',
  noNotifications: 'No notifications for today!',
  notAuthorized: 'Oops! You are not authorized to access this!',
  licenseNotFound: 'Oops! License Not Found',
  licenseNotActive: 'Oops! License is not active',
  noResponseFromEdge: 'NO RESPONSE FROM EDGE',
  otpSent: 'OTP sent on your email!',
  otpResent: 'OTP re-sent on your email!',
  passwordsDontMatch: "Passwords don't match",
  newPasswordsDontMatch: "Passwords don't match!",
  passwordExpired: 'You need to change your password due to expiration.',
  passwordUpdated: 'Password updated successfully!',
  profileUpdated: 'Profile updated successfully!',
  companyUpdated: 'Company profile updated!',
  imageFormat: 'Please select a valid image format',
  contact: 'invalid contact number',
  invalidEmail: 'invalid email',
  updateSuccess: 'Update success!',
  dayAheadSpan: 'Diffrence between start Date and End Date should not greater than 3 days',
  noDataFound: 'No Data Found!',
  frequencyNotEnabled: (id: string) => `Frequency Signal with id ${id} is not enabled`,

  // Not in the specification; worded here once for both sides.
  wrongCredentials: 'The email or password is not correct',
  sessionEnded: 'Your session has ended. Sign in again.',
  invalidInput: 'Some fields are not valid',
  notFound: 'Not found',
  forbidden: 'You are not authorized to do this',
  tooLarge: 'The request is too large',
  unsupportedMedia: 'This content type is not supported',
  tooMany: 'Too many requests. Try again in a moment.',
  unavailable: 'Not available right now. Try again in a moment.',
  passwordReset: 'Password reset successfully!',
  codeExpired: 'The code has expired. Request a new one.',
  codeWrong: 'The code is not correct',
  linkExpired: 'This sign-in link has expired or was used. Ask for a new one.',
  tooManyAttempts: withFigure('Too many attempts. Try again in {{n}} s.'),
  codesOfDay: withFigure('All codes of today have been sent. Try again in {{n}} h.'),
  resendTooEarly: withFigure('A new code can be sent in {{n}} s.'),
  commonPassword: 'This password is too easy to guess',
  samePassword: 'The new password must differ from the current one',
  wrongPassword: 'The current password is not correct',
  emailTaken: 'This email is already in use',
  endBeforeStart: "End date can't be before start date",
  exportUnderWay: 'Another file of yours is being made. Try again when it is done.',
  exportTooLong: withFigure('A file covers at most {{n}} days'),
  exportTooLarge: withFigure('A file holds at most {{n}} rows: choose a shorter time'),
  number: 'Must be a number',
  characters: 'Contains characters that cannot be used here',
  shortest: withFigure('Must be at least {{n}} characters'),
  longest: withFigure('Must be at most {{n}} characters'),
  atLeast: withFigure('Must be greater than or equal to {{n}}'),
  atMost: withFigure('Must be lesser than or equal to {{n}}'),
  positive: 'Must be greater than 0',
  marketNotInArea: 'This market does not exist in this area',
  tooManyDays: withFigure('At most {{n}} days'),
  tooManyMonths: withFigure('At most {{n}} months'),
  tooFarBack: withFigure('At most {{n}} days back'),
  daysOfFile: 'Several days come as a file: add format',
  tooManyRows: withFigure('More than {{n}} rows: choose fewer days, or a file with format=csv'),
  decimals: withFigure('At most {{n}} decimals'),
  noSuchAuction: 'This market has no such auction',
  countryCode: 'Must be a country code such as +45',
  imageTooLarge: 'The image must be at most 2 MB and 16 megapixels',
  accountRequested: 'Thank you. We will write to you.',
  secondFactorAsked: 'Enter the code of your authenticator app',
  secondFactorDue: 'Your company requires a second factor. Set it up to go on.',
  secondFactorOn: 'Two-step sign-in is on',
  secondFactorOff: 'Two-step sign-in is off',
  secondFactorKept: 'Your company requires two-step sign-in',
  secondFactorNotOn: 'Two-step sign-in is not on',
  secondFactorNotBegun: 'Begin again: there is no new authenticator app to confirm',
  secondFactorFirst: 'Turn on two-step sign-in for yourself first',
  sessionRevoked: 'The session has ended',
  settingSaved: 'Saved',
  keyCreated: 'API key created. Copy it now: it is not shown again.',
  keyRevoked: 'API key revoked',
  tooManyKeys: withFigure('There can be at most {{n}} API keys. Revoke one first.'),
  scopeNotYours: 'You may not read this yourself',
  keyScope: 'This API key does not cover this call',
  webhookSaved: 'Webhook saved',
  webhookRemoved: 'Webhook removed',
  webhookQueued: 'On its way',
  tooManyWebhooks: withFigure('There can be at most {{n}} webhooks. Remove one first.'),
  webhookUrl: 'Must be an https address that can be reached from the internet',
  unknownRoute: 'There is no such call',
} as const

type Said = (typeof m)[keyof typeof m]
/** The sentences that a person reads in another language too. */
export type PlainSentence = Exclude<Extract<Said, string>, typeof m.jwtMalformed>
export type FiguredSentence = Extract<Said, { key: string }>['key']
