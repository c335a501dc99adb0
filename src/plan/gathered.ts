import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';

/** Warnings that say the same of many resources, by code: how it begins, and what to do about all of them. */
const alike: Record<string, { what: string; hint?: string }> = {
  'secret/not-compared': { what: 'secrets are not available here, so they were not compared' },
  'secret/unverified': {
    what: 'secrets cannot be read back, and nothing here says what they were last set to',
    hint: 'they are left as they are; send them once with --send-unverified GLOB',
  },
};
const most = 3;

/** The diagnostics with more than a few of one sort as one, at the place of the first. */
export function gathered(diagnostics: Diagnostic[]): Diagnostic[] {
  const byCode = groupBy(diagnostics, ({ code }) => code);
  return diagnostics.flatMap((one) => {
    const kind = alike[one.code];
    const of = byCode.get(one.code)!;
    if (!kind || of.length <= most) return one;
    if (one !== of[0]) return [];
    const names = [...new Set(of.flatMap(({ address }) => address ?? []))];
    const shown = names.slice(0, most).join(', ');
    const rest = names.length > most ? ` and ${names.length - most} more` : '';
    return warning(one.code, `${names.length} ${kind.what}: ${shown}${rest}`, {
      ...(one.at ? { at: one.at } : {}),
      ...(kind.hint ? { hint: kind.hint } : {}),
    });
  });
}
