/** Reason why a text cannot be a password. */
export type PasswordProblem = 'too_short' | 'too_long' | 'is_email'
