import * as z from 'zod';
import type { Making, Stamped } from '../call.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';
import { type Notification, notificationOperations } from './notification.ts';

const filter = z.string().min(1).max(2048).optional();
const metric = z.strictObject({
  ...{ metric: z.string(), aggregation: z.string(), filter },
  ...{ per: z.literal('second').optional(), normalize: z.literal('percent').optional() },
  dimensions: strings.optional(),
});
const query = z.strictObject({
  metrics: z.record(z.string(), metric),
  formulas: z.record(z.string(), z.string()).optional(),
  ...{ outputs: strings.length(1), groupBy: strings.length(1).optional(), filter },
});

/** The body of a creation. Which members a rule of a type must have is checked in `checkMembers`. */
const createBody = z.strictObject({
  type: z.enum(['built-in', 'custom']),
  name: z.string().min(1).max(256),
  ruleScope: z.strictObject({
    type: z.enum(['all', 'include', 'exclude', 'project']),
    projectId: z.string().optional(),
    projectIds: strings.min(1).max(100).optional(),
  }),
  triggers: z
    .strictObject({
      mode: z.enum(['all', 'selected']),
      items: z.array(z.strictObject({ type: z.string(), filter })).optional(),
    })
    .optional(),
  matchMinimumSeverityLevel: z.enum(['low', 'medium', 'high', 'critical']).optional(),
  severity: z.enum(['low', 'medium', 'high']).optional(),
  evaluation: z.strictObject({ window: z.enum(['5m', '15m', '1h', '1d']), query }).optional(),
  trigger: z
    .strictObject({
      ...{ type: z.enum(['threshold', 'anomaly']), output: z.string() },
      operator: z.enum(['gt', 'gte', 'lt', 'lte']).optional(),
      threshold: z.number().optional(),
      standardDeviations: z.number().min(0.1).optional(),
      minimum: z.strictObject({ output: z.string(), threshold: z.number().min(0) }).optional(),
    })
    .optional(),
  investigationPrompt: z.string().max(2000).nullish(),
  tags: strings.max(10).nullish(),
  notificationSettings: z
    .strictObject({
      enableTeamOwnerNotifications: z.boolean().optional(),
      incidentIoRoutingKey: z.string().max(256).nullish(),
      vercelNotificationsMinimumSeverityLevel: z.literal('critical').nullish(),
    })
    .optional(),
});
type Body = z.infer<typeof createBody>;

const seed = createBody.extend({ ...seedOwned, isDefault: z.literal(true).optional() });

/** A rule that raises alerts. `isDefault`: true for the team's own rule. It cannot be deleted. */
type AlertRule = Stamped & Body & { ownerId: string; isDefault: boolean; notifications: Notification[] };

declare module '../account.ts' {
  interface AccountParts extends Keeps<'alertRules', AlertRule> {}
  interface AccountSeed extends Seeds<'alertRules', typeof seed> {}
}

const rules = ofOwner('alertRules', {
  ...{ what: 'Alert rule', prefix: 'ar_', as: 'rule' },
  shows: (_, { ownerId: _owner, notifications: _links, ...rule }) => ({
    ...(rule.type === 'custom' ? { querySupported: true } : {}),
    ...rule,
  }),
});

/** The members that rules of a type need; those of the other type are refused. */
const membersOf = {
  'built-in': ['triggers', 'matchMinimumSeverityLevel'],
  custom: ['severity', 'evaluation', 'trigger'],
} as const;

/** Throws 400 unless a rule has exactly the members of its type, and names only projects of its owner. */
function checkMembers(making: Making, rule: Body): void {
  const { type, ruleScope } = rule;
  const otherType = type === 'custom' ? 'built-in' : 'custom';
  for (const name of membersOf[type])
    if (rule[name] === undefined) throw badRequest(`Invalid request: missing required property \`${name}\`.`);
  for (const name of membersOf[otherType])
    if (rule[name] !== undefined)
      throw badRequest(`Invalid request: should NOT have additional property \`${name}\`.`);
  const needed = {
    all: undefined,
    include: 'projectIds',
    exclude: 'projectIds',
    project: 'projectId',
  } as const;
  const { type: scope, ...projects } = ruleScope;
  if ((scope === 'project') !== (type === 'custom') || Object.keys(projects).join() !== (needed[scope] ?? ''))
    throw badRequest('Invalid request: `ruleScope` should match one of the allowed shapes.');
  checkProjectIds(making, [projects.projectId ?? [], projects.projectIds ?? []].flat());
}

/** Returns a part of a rule as it is stored: without nulls, and with filters as answers spell them: `status:>=500` for `status >= 500`. */
const stored = <Part>(part: Part): Part => {
  const json = JSON.stringify(part, (_, value) => (value === null ? undefined : value));
  return withSpelledFilters(JSON.parse(json)) as Part;
};

/**
 * Returns a value with all filters in it as answers spell them. `hasNames`: its keys are names of metrics or formulas, and `filter` can be
 * one of these.
 */
function withSpelledFilters(value: unknown, hasNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withSpelledFilters(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'filter' && !hasNames
      ? spelledFilter(member as string)
      : withSpelledFilters(member, name === 'metrics' || name === 'formulas'),
  ]);
  return Object.fromEntries(members);
}

/** Returns a filter as answers spell it: `status:>=500` for `status >= 500`. Texts in quotes stay as they are. */
const spelledFilter = (filter: string): string =>
  filter.replace(/"[^"]*"|(\w+) *([<>]=?) *(?=\d)/g, (part: string, field?: string, operator?: string) =>
    field === undefined ? part : `${field}:${operator}`,
  );

/** Returns a new rule. Throws 400 if its members do not fit. */
function make(making: Making, { isDefault = false, ...body }: Body & { isDefault?: boolean }) {
  checkMembers(making, body);
  const notificationSettings = { enableTeamOwnerNotifications: true, ...body.notificationSettings };
  return {
    ...stored({ ...body, notificationSettings }),
    ownerId: making.owner.id,
    isDefault,
    notifications: [],
  };
}

const path = '/alerts/v3/alert-rules';

/** Rules that raise alerts, from the code of the platform's Terraform provider and command line. */
export const alertRule = rules.resource(
  seed,
  make,
  {},
  {
    after: ['projects'],
    clientOperations: {
      [`GET ${path}`]: rules.pages('rules', { cursor: 'cursor', query: { projectId: text, type: text } }),
      [`POST ${path}`]: rules.create({ body: createBody }, make),
      [`GET ${path}/{id}`]: rules.read(),
      [`PATCH ${path}/{id}`]: rules.update({ body: createBody.partial() }, (call, rule, body) => {
        if (body.type !== undefined && body.type !== rule.type)
          throw badRequest('The type of an alert rule cannot change.');
        if (rule.isDefault && Object.keys(body).some((name) => name !== 'notificationSettings'))
          throw badRequest('Only the notifications of the default rule can change.');
        const notificationSettings = { ...rule.notificationSettings, ...body.notificationSettings };
        const { id, createdAt, updatedAt, ownerId, isDefault, notifications, ...members } = rule;
        const next = { ...members, ...body, notificationSettings } as Body;
        checkMembers(call, next);
        for (const [name, value] of Object.entries(body))
          if (value === null) delete rule[name as keyof AlertRule];
        Object.assign(rule, stored(next));
      }),
      [`DELETE ${path}/{id}`]: rules.remove({ answer: { success: true } }, (_, { isDefault }) => {
        if (isDefault) throw badRequest('The default rule cannot be deleted.');
      }),
      ...notificationOperations(`${path}/{id}/notifications`, rules.named),
    },
  },
);
