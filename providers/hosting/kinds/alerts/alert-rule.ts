import * as z from 'zod';
import {
  type ApiObject,
  atomic,
  defineKind,
  type Fields,
  immutable,
  mayIdentify,
  openEnum,
  type Step,
  setOf,
  type Value,
  wholeOfSets,
} from '#kind';
import { alertFilter, normalFilter } from './alert-filter.ts';
import { refusalWarning, warnOfOtherTypes } from './fields-by-type.ts';

const projectId = () => mayIdentify('project', z.string().min(1).max(256));

const metric = () =>
  z.strictObject({
    metric: z.string().min(1).describe('The metric, such as `vercel.request.count`.'),
    aggregation: z.string().min(1).describe('How its values are combined, such as `sum` or `p95`.'),
    per: openEnum(['second']).optional().describe('The unit of time of a rate.'),
    normalize: openEnum(['percent']).optional().describe('Whether shares are counted.'),
    dimensions: z.array(z.string()).optional().describe('The dimensions that `unique` counts.'),
    filter: alertFilter().optional().describe('The events that count.'),
  });

const query = () =>
  z.strictObject({
    metrics: z.record(z.string(), metric()).describe('One metric or two, by names for the formula.'),
    formulas: z
      .record(z.string(), z.string())
      .optional()
      .describe('With two metrics: their quotient, as `formula`.'),
    groupBy: z
      .array(z.string())
      .max(1)
      .optional()
      .describe('A dimension, each of whose values counts alone.'),
    outputs: z.array(z.string()).length(1).describe('The name of the metric, or `formula`.'),
  });

const trigger = () =>
  z.strictObject({
    type: openEnum(['threshold', 'anomaly']).describe('What it compares the output with.'),
    output: z.string().min(1).describe('The output of the query.'),
    operator: openEnum(['gt', 'gte', 'lt', 'lte']).optional().describe('How it compares with `threshold`.'),
    threshold: z.number().optional().describe('The threshold.'),
    standardDeviations: z
      .number()
      .min(0.1)
      .optional()
      .describe('How far an anomaly is from the usual value.'),
    minimum: z
      .strictObject({
        output: z.string().min(1).describe('A metric of the query.'),
        threshold: z.number().min(0).describe('The least value of it with which the rule counts.'),
      })
      .optional()
      .describe('When too little happens for an alert.'),
  });

/** The fields that a rule of each type needs, and no other has. */
const fieldsByType = {
  'built-in': ['triggers', 'matchMinimumSeverityLevel'],
  custom: ['severity', 'evaluation', 'trigger'],
};

/** Warns of a scope of a rule that is for rules of the other type: only a custom rule watches one project. */
function warnOfScope({ type, ruleScope }: Fields) {
  const { type: scope } = (ruleScope ?? {}) as Fields;
  const isCustom = type === 'custom';
  if (typeof scope !== 'string' || (!isCustom && type !== 'built-in')) return [];
  if (isCustom === (scope === 'project')) return [];
  const hint = isCustom ? 'write `project`' : 'write `all` or `include` or `exclude`';
  return [refusalWarning(['ruleScope', 'type'], `this scope of a ${type} rule`, hint)];
}

/** Returns a copy of a query in an answer with its filters in the spelling in which they are compared. */
function withNormalFilters(evaluation: ApiObject): Value {
  const { metrics, ...rest } = evaluation.query as { metrics: Record<string, Fields> };
  const respelled = Object.entries(metrics).map(([name, metric]) => [
    name,
    typeof metric.filter === 'string' ? { ...metric, filter: normalFilter(metric.filter) } : metric,
  ]);
  return { ...evaluation, query: { ...rest, metrics: Object.fromEntries(respelled) } } as Value;
}

/** Returns the body of an update, in which null resets tags and notification settings, because the platform keeps absent ones. */
function changesOf({ body, after }: Step): ApiObject {
  const { tags, notificationSettings } = body as Record<string, Fields>;
  const declared = after!.fields.notificationSettings as Fields;
  return {
    ...body,
    ...(tags?.length === 0 ? { tags: null } : {}),
    ...(notificationSettings ? { notificationSettings: { ...notificationSettings, ...declared } } : {}),
  };
}

/** A rule that raises alerts. The default rule of a team is the platform's own, and cannot be declared. */
export const alertRule = defineKind({
  name: 'alertRule',
  doc: 'A rule that raises an alert: for anomalies that the platform detects, or for a query of metrics.',
  section: 'alertRules',
  key: ['name'],
  undeclared: ['agentTriageEnabled', 'evaluation.query.filter'],
  usual: { notificationSettings: { enableTeamOwnerNotifications: true } },
  fields: () => ({
    name: z.string().min(1).max(256).describe('Its name.'),
    type: immutable(openEnum(['built-in', 'custom'])).describe(
      'Whether the platform detects anomalies, or `evaluation` measures.',
    ),
    ruleScope: wholeOfSets(
      z.strictObject({
        type: openEnum(['all', 'include', 'exclude', 'project']).describe(
          'Which projects: `project` for a custom rule, one of the others for a built-in one.',
        ),
        projectId: projectId().optional().describe('The project of a custom rule: `${projects.NAME.id}`.'),
        projectIds: setOf(projectId()).max(100).optional().describe('The projects of a built-in rule.'),
      }),
    ).describe('The projects that it watches.'),
    triggers: wholeOfSets(
      z.strictObject({
        mode: openEnum(['all', 'selected']).describe('Whether all anomalies count.'),
        items: setOf(
          z.strictObject({
            type: openEnum([
              ...['usage_anomaly', 'error_anomaly', 'botId_anomaly', 'botTraffic_anomaly'],
              ...['firewallSystemRule_anomaly', 'firewallCustomRule_anomaly', 'testAlert_anomaly'],
              'buildTime_anomaly',
            ]).describe('The anomaly.'),
            filter: alertFilter().optional().describe('Which ones, such as `statusGroup:5xx`.'),
          }),
        )
          .optional()
          .describe('The anomalies that count.'),
      }),
    )
      .optional()
      .describe('The anomalies of a built-in rule.'),
    matchMinimumSeverityLevel: openEnum(['low', 'medium', 'high', 'critical'])
      .optional()
      .describe('The least severity that a built-in rule matches.'),
    severity: openEnum(['low', 'medium', 'high']).optional().describe('The severity of a custom rule.'),
    evaluation: atomic(
      z.strictObject({
        window: openEnum(['5m', '15m', '1h', '1d']).describe('The time that one value is for.'),
        query: query().describe('The metrics.'),
      }),
    )
      .optional()
      .describe('What a custom rule measures.'),
    trigger: atomic(trigger()).optional().describe('When a custom rule raises an alert.'),
    investigationPrompt: z
      .string()
      .max(2000)
      .nullable()
      .optional()
      .describe('Guidance for agents that investigate alerts of a custom rule.'),
    tags: setOf(z.string().min(1)).max(10).optional().describe('Tags of a custom rule.'),
    notificationSettings: z
      .strictObject({
        enableTeamOwnerNotifications: z
          .boolean()
          .optional()
          .describe('Whether owners of the team are notified; they are by default.'),
        incidentIoRoutingKey: z.string().max(256).nullable().optional().describe('A key for incident.io.'),
        vercelNotificationsMinimumSeverityLevel: openEnum(['critical'])
          .nullable()
          .optional()
          .describe("The least severity for the platform's own notifications; null for all."),
      })
      .optional()
      .describe('Who is notified, besides `webhooks` and `slackChannels`.'),
  }),
  example: `projects: { web: {} }
alertRules:
  anomalies:
    { type: built-in, ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: high }
  failed checkouts:
    type: custom
    ruleScope: { type: project, projectId: "\${projects.web.id}" }
    severity: high
    evaluation:
      window: 5m
      query:
        metrics: { errors: { metric: vercel.request.count, aggregation: count, filter: "httpStatus:>=500" } }
        outputs: [errors]
    trigger: { type: threshold, output: errors, operator: gt, threshold: 20 }`,
  rules: {
    check: (fields) => [...warnOfOtherTypes(fields, fieldsByType, 'rule'), ...warnOfScope(fields)],
  },
  read: {
    endpoint: 'GET /alerts/v3/alert-rules',
    items: 'rules',
    byId: { endpoint: 'GET /alerts/v3/alert-rules/{id}', item: 'rule' },
  },
  decode: ({ isDefault, querySupported, evaluation, ...rule }) => {
    if (isDefault === true) return undefined;
    // The platform cannot show the query of some older rules.
    if (querySupported === false) return null;
    return {
      ...rule,
      ...(evaluation ? { evaluation: withNormalFilters(evaluation as ApiObject) } : {}),
    } as Fields;
  },
  create: {
    endpoint: 'POST /alerts/v3/alert-rules',
    returns: ({ address }) => [{ address, path: ['rule', 'id'] }],
  },
  update: { endpoint: 'PATCH /alerts/v3/alert-rules/{id}', body: changesOf },
  delete: 'DELETE /alerts/v3/alert-rules/{id}',
});
