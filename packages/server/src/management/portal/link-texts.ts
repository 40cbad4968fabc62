import type { Link } from '../../domain/session.ts'
import type { Field } from '../../web/parts/form.ts'

/** The words of the page of a link. */
export interface LinkTexts {
  readonly title: string
  readonly lead: string
  readonly button: string
}

const article = (role: string): string => (/^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`)

/** Returns the words for a link: why its reader has it and what the button does. */
export function linkTexts({ purpose, email, role = '' }: Link, siteName: string, partnerName?: string): LinkTexts {
  switch (purpose) {
    case 'owner':
      return {
        title: `Set up ${siteName}`,
        lead: 'You become the owner, who can do everything, invite others and assign roles.',
        button: 'Become the owner',
      }
    case 'recovery':
      return {
        title: `Sign in to ${siteName}`,
        lead: 'The link signs you in once. Set a password for the next time, or leave it as it is.',
        button: 'Sign in',
      }
    case 'email':
      return {
        title: 'Confirm your e-mail address',
        lead: `Your account gets the address ${email}.`,
        button: 'Confirm',
      }
    case 'demo':
      return {
        title: `Welcome to ${siteName}`,
        lead: 'This link signs you in to the demo. It works until the demo ends.',
        button: 'Continue',
      }
    case 'invitation':
      return {
        title: `Welcome to ${siteName}`,
        lead: `You have been invited as ${article(role)} of ${partnerName ?? siteName}. Your account is ${email}.`,
        button: 'Accept the invitation',
      }
  }
}

/** Returns the fields of a link: the address where the link does not know it, and a password where one can be set. */
export function linkFields(
  { purpose, userId }: Link,
  { email, name }: { readonly email: string | undefined; readonly name: string | undefined },
): Field[] {
  if (purpose === 'demo' || purpose === 'email') return []
  return [
    ...(purpose === 'owner'
      ? [{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email } as const]
      : []),
    ...(userId === undefined
      ? [{ name: 'name', label: 'Your name', autocomplete: 'name', value: name, required: false } as const]
      : []),
    {
      name: 'password',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      required: false,
      hint: '12 characters or more. Without one, add a passkey on the next page.',
    },
  ]
}
