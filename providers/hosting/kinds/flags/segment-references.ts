import { type Fields, holesIn, isPlainObject, isRef, type Value } from '#kind';

export interface Condition {
  lhs: { type: string };
  rhs?: unknown;
}

/**
 * Reports references in a condition of a rule, except references to a segment where the id of a segment is expected.
 * Only those can be resolved in a condition.
 */
export function conditionProblems({ lhs, rhs }: Condition): { message: string; hint: string }[] {
  const isSegment = (value: unknown) =>
    isRef(value) && value.attr === 'id' && /^projects\/[^/]+\/segments\/[^/]+$/.test(value.$ref);
  if (lhs.type !== 'segment')
    return holesIn(rhs).length === 0
      ? []
      : [
          {
            message: 'a value compared with an attribute must be known when the file is read',
            hint: 'only segments can be referenced, in a condition with `lhs: { type: segment }`',
          },
        ];
  return operands(rhs).every(isSegment)
    ? []
    : [
        {
          message: 'conditions must refer to segments by reference',
          hint: 'write `${projects.PROJECT.segments.SLUG.id}`; declare a segment from elsewhere with `$existing: true`',
        },
      ];
}

/** The segments on the right side of a condition: one, or the items of a list. */
function operands(rhs: unknown): unknown[] {
  if (!isPlainObject(rhs)) return [rhs];
  return Array.isArray(rhs.items) ? rhs.items.map((item) => (item as Fields).value) : [rhs];
}

/**
 * Replaces the ids of segments in the rules of a flag's environment or of a segment by references, so that live rules compare with
 * declared ones. `to` returns the reference of an id; an id without one stays.
 */
export function referringToSegments(fields: Fields, to: (id: string) => Value | undefined): Fields {
  const referring = (value: Value): Value => (typeof value === 'string' ? (to(value) ?? value) : value);
  const condition = (fields: Fields): Fields => {
    const { lhs, rhs } = fields;
    if (!isPlainObject(lhs) || lhs.type !== 'segment' || rhs === undefined) return fields;
    if (!isPlainObject(rhs)) return { ...fields, rhs: referring(rhs) };
    const items = (rhs.items as Fields[] | undefined)?.map((item) => ({
      ...item,
      value: referring(item.value!),
    }));
    return items ? { ...fields, rhs: { ...(rhs as Fields), items } } : fields;
  };
  if (!Array.isArray(fields.rules)) return fields;
  const rules = (fields.rules as Fields[]).map((rule) => ({
    ...rule,
    conditions: ((rule.conditions ?? []) as Fields[]).map(condition),
  }));
  return { ...fields, rules };
}
