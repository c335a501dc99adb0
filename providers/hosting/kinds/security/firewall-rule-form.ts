import { type ApiObject, type Fields, isPlainObject } from '#kind';
import { withoutValue } from './firewall-condition.ts';
import { gradeOf } from './protection.ts';

/** A rule in normal form: what says nothing in its conditions and action (null, `neg: false`, the value of `ex`) is left out. */
export function normalized({ conditionGroup, action, ...rule }: ApiObject): Fields {
  return { ...rule, conditionGroup: withoutEmpty(conditionGroup), action: withoutEmpty(action) } as Fields;
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isPlainObject(value)) return value;
  const saysSomething = ([name, item]: [string, unknown]) =>
    item !== null &&
    !(name === 'neg' && item === false) &&
    !(name === 'value' && withoutValue.includes(String(value.op)));
  return Object.fromEntries(
    Object.entries(value)
      .filter(saysSomething)
      .map(([name, item]) => [name, withoutEmpty(item)]),
  );
}

/** A rule as the endpoint wants it: a condition that takes no value has an empty one. */
export function written(rule: ApiObject): ApiObject {
  const groups = rule.conditionGroup as { conditions: ApiObject[] }[];
  const conditionGroup = groups.map(({ conditions }) => ({
    conditions: conditions.map((one) =>
      withoutValue.includes(String(one.op)) ? { ...one, value: '' } : one,
    ),
  }));
  return { ...rule, conditionGroup };
}

// What a rule does with the requests that it matches.
const actionOf = ({ action }: Fields) => (action as { mitigate?: { action: string } }).mitigate?.action;

/** What makes two rules interchangeable; null for one that never decides, being inactive or only logging. */
export const decides = (rule: Fields) =>
  rule.active && ![undefined, 'log'].includes(actionOf(rule))
    ? { conditionGroup: rule.conditionGroup!, action: rule.action! }
    : null;

export const grade = gradeOf((rule) => rule.active && actionOf(rule));
