const decode = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Returns true if a page has a form that sends to a path, itself or by a button. */
export const hasForm = (text: string, action: string): boolean =>
  text.split('<form ').some((part, i) => i > 0 && part.split('</form>')[0]!.includes(`action="${action}"`))

/** Returns the values of the fields of the form that sends to a path and has a text. */
export function fieldsOf(text: string, action: string, having = ''): Record<string, string | string[]> {
  const forms = text.split('<form ').map(part => part.split('</form>')[0]!)
  const form = forms.find(part => part.includes(`action="${action}"`) && part.includes(having))!
  const inputs = [...form.matchAll(/<(input|select|textarea) [^>]*name="([^"]+)"[^>]*>([^<]*)/g)]
  const fields: Record<string, string | string[]> = {}
  for (const [tag, kind, name, text] of inputs) {
    const value = decode(/value="([^"]*)"/.exec(tag!)?.[1] ?? '')
    if (/type="(radio|checkbox)"/.test(tag!)) {
      if (!tag!.includes(' checked')) continue
      fields[name!] = tag!.includes('radio') ? value : [fields[name!] ?? [], value].flat()
    } else if (kind === 'select') {
      const chosen = new RegExp(`name="${name}".*?<option value="([^"]*)" selected`, 's').exec(form)
      fields[name!] = chosen?.[1] ?? ''
    } else fields[name!] = kind === 'textarea' ? decode(text!) : value
  }
  return fields
}
