import type { AdminFault } from '../../domain/admin-fault.ts'
import { textProblemText } from '../../domain/text-bounds.ts'
import { toFaultProblem } from '../fault-problems.ts'

/** Status and text of a refused sign-in or link, as a page shows them. */
export interface RefusalText {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns what a page says about a fault of a sign-in or a link. */
export function refusalOf(fault: AdminFault): RefusalText {
  switch (fault.fault) {
    case 'sign_in_refused':
      return { status: 401, text: 'The e-mail address, the password or the code is not right.' }
    case 'sign_in_slowed': {
      const seconds = String(Math.ceil(fault.waitMs / 1000))
      const text = `Too many failed attempts. Try again in ${seconds} s.`
      return { status: 429, text, headers: { 'Retry-After': seconds } }
    }
    case 'provider_unavailable':
      return { status: 503, text: 'The sign-in service does not answer. Try again later.' }
    case 'sign_in_ended':
      return { status: 410, text: 'This sign-in has ended. Begin again.' }
    case 'link_ended':
      return { status: 410, text: 'This link was used or has expired. Ask for another one, or sign in.' }
    case 'password_invalid':
      return {
        status: 422,
        text:
          fault.problem === 'is_email'
            ? 'The password must not be your e-mail address.'
            : `The password must have ${fault.min} to ${fault.max} characters.`,
      }
    case 'email_invalid':
      return { status: 422, text: 'Enter an e-mail address such as ann@example.org.' }
    case 'text_invalid':
      return { status: 422, text: `The name ${textProblemText(fault.problem, fault.max)}` }
    case 'user_exists':
      return { status: 409, text: 'There is already a user with this e-mail address. Sign in, or use another one.' }
    case 'role_conflict':
      return { status: 409, text: 'This e-mail address belongs to staff. Use another one for a partner.' }
    case 'proof_required':
      return { status: 403, text: 'Confirm first that it is you.' }
    default: {
      const { status, detail } = toFaultProblem(fault)
      return { status, text: detail }
    }
  }
}
