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
  unknownRoute: 'There is no such call',
} as const
