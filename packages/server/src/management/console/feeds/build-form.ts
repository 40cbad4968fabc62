import { feedNames } from '../../../domain/feed.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import type { Html } from '../../../web/html.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { RefusedForm } from '../../pages/form-faults.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { feedsPath } from './feeds-path.ts'

/** Returns the fields of a build. */
export function buildFields({ work }: ManagementContext): readonly Field[] {
  const versions = work.feedVersions.filter(({ isImplemented, feedsEnded }) => isImplemented && !feedsEnded)
  return [
    {
      name: 'feed',
      label: 'Feed',
      type: 'select',
      value: '',
      required: false,
      choices: [{ value: '', label: 'All' }, ...feedNames.map(value => ({ value, label: feedLabels[value] }))],
    },
    {
      name: 'version',
      label: 'Version',
      type: 'select',
      value: '',
      required: false,
      choices: [{ value: '', label: 'All' }, ...versions.map(({ name }) => ({ value: name, label: name }))],
    },
    {
      name: 'kind',
      label: 'Snapshot',
      type: 'select',
      value: '',
      required: false,
      choices: [
        { value: '', label: 'Delta, or full if due' },
        { value: 'full', label: 'Full' },
        { value: 'delta', label: 'Delta' },
      ],
    },
  ]
}

/** Returns the form that starts a build; it can publish withheld builds if there are any. */
export function buildForm(
  context: ManagementContext,
  { site, form: sent }: PageRequest,
  isWithheld: boolean,
  { fields, error }: Partial<RefusedForm> = {},
): Html {
  const force: Field = {
    name: 'force',
    type: 'checkbox',
    value: sent.text('force'),
    required: false,
    label: 'Publish builds that are withheld',
  }
  return form({
    action: linkTo(site, `${feedsPath}/build`),
    inline: true,
    button: 'Build now',
    error,
    fields: [...(fields ?? buildFields(context)), ...(isWithheld ? [force] : [])],
  })
}
