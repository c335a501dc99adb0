import type { ApiObject, Fields } from '#kind';
import { withoutValue } from './firewall-condition.ts';
import { gradeOf } from './protection.ts';

/** Returns a firewall rule in normal form for comparisons: without the values of conditions that take none. */
export function normalized(rule: ApiObject): Fields {
  const groups = (rule.conditionGroup as { conditions?: ApiObject[] }[] | undefined)?.map((group) => ({
    ...group,
    ...(group.conditions ? { conditions: group.conditions.map(withoutIdleValue) } : {}),
  }));
  return { ...rule, ...(groups ? { conditionGroup: groups } : {}) } as Fields;
}

const withoutIdleValue = (condition: ApiObject): ApiObject => {
  const { value, ...others } = condition;
  return value === undefined || withoutValue.includes(String(condition.op)) ? others : condition;
};

/** Returns a firewall rule as the endpoint requires it: a condition that takes no value has an empty one. */
export function written(rule: ApiObject): ApiObject {
  const groups = rule.conditionGroup as { conditions: ApiObject[] }[];
  const conditionGroup = groups.map(({ conditions }) => ({
    conditions: conditions.map((condition) =>
      withoutValue.includes(String(condition.op)) ? { ...condition, value: '' } : condition,
    ),
  }));
  return { ...rule, conditionGroup };
}

/** Returns the action of a firewall rule on matching requests; undefined if the answer lacks it. */
const actionOf = ({ action }: Fields) =>
  (action as { mitigate?: { action: string } } | null | undefined)?.mitigate?.action;

/**
 * The fields that make two rules interchangeable if they are equal. Null for a rule that never decides: it is inactive or only
 * logs.
 */
export const decides = (rule: Fields) =>
  rule.active && ![undefined, 'log'].includes(actionOf(rule))
    ? { conditionGroup: rule.conditionGroup!, action: rule.action! }
    : null;

export const grade = gradeOf((rule) => rule.active && actionOf(rule));
