import { unescapeName } from '../model/address.ts';
import type { Change, FieldChange } from '../model/change.ts';

/** The differing fields; of a deletion without any, those that go, but for what its address says already. */
export function fieldsOf(change: Change): FieldChange[] {
  if (change.action !== 'delete' || change.fields.length > 0) return change.fields;
  const entries = Object.entries(change.before?.fields ?? {});
  const names: unknown[] = namesIn(change);
  const telling = entries.filter(
    ([, value]) => value !== null && value !== '' && String(value) !== '' && !names.includes(value),
  );
  return telling.map(([path, before]) => ({ path, before, cause: 'edit' }));
}

/** The names in an address, after parent and section: `OLD` and `preview` in `projects/web/env/OLD@preview`. */
function namesIn({ address, parent }: Change): string[] {
  const own = parent === undefined ? address : address.slice(parent.length + 1);
  return own
    .split(/[/@]/)
    .slice(1)
    .filter((name) => name !== '')
    .map(unescapeName);
}
