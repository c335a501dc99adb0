import * as z from 'zod';
import {
  type ApiObject,
  defineKind,
  type Fields,
  immutable,
  mayIdentify,
  openEnum,
  type Step,
  setOf,
  wholeOfSets,
} from '#kind';
import { alertFilter } from './alert-filter.ts';
import { alertEvaluation, alertTrigger, withNormalFilters } from './alert-query.ts';
import { refusalWarning, warnOfOtherTypes } from './fields-by-type.ts';

const projectId = () => mayIdentify('project', z.string().min(1).max(256));

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
  otherWords: ['alert'],
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
    evaluation: alertEvaluation().optional().describe('What a custom rule measures.'),
    trigger: alertTrigger().optional().describe('When a custom rule raises an alert.'),
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
      .describe('Who is notified, besides the targets in `notifications`.'),
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
