import { flag, type Sample, text } from '../support/sample.ts';

const [web, other] = ['LABEL', 'LABEL-2'].map((name) => `\${projects.${name}.id}`);

/** The members that every custom rule needs. */
const custom = {
  type: 'custom',
  ruleScope: { type: 'project', projectId: web },
  triggers: undefined,
  matchMinimumSeverityLevel: undefined,
  severity: 'low',
  evaluation: {
    window: '5m',
    query: {
      metrics: { errors: { metric: 'vercel.request.count', aggregation: 'count' } },
      outputs: ['errors'],
    },
  },
  trigger: { type: 'threshold', output: 'errors', operator: 'gt', threshold: 20 },
};
const builtIn = {
  type: 'built-in',
  ruleScope: { type: 'all' },
  triggers: { mode: 'all' },
  matchMinimumSeverityLevel: 'low',
};
const rates = {
  window: '1h',
  query: {
    metrics: {
      errors: { metric: 'vercel.request.count', aggregation: 'sum', filter: 'httpStatus >= 500' },
      requests: { metric: 'vercel.request.count', aggregation: 'sum', per: 'second' },
    },
    formulas: { formula: 'errors / requests' },
    groupBy: ['route'],
    outputs: ['formula'],
  },
};
const anomaly = {
  ...{ type: 'anomaly', output: 'errors', standardDeviations: 3 },
  minimum: { output: 'errors', threshold: 10 },
};
const { type: _, ...customMembers } = custom;

export const alertRule: Sample = {
  place: (block) => ({ projects: { LABEL: {}, 'LABEL-2': {} }, alertRules: { LABEL: block } }),
  base: { ...builtIn, $replace: 'allow' },
  leaves: {
    type: ['custom', 'custom', customMembers],
    ruleScope: [
      { type: 'include', projectIds: [web] },
      { type: 'exclude', projectIds: [other, web] },
    ],
    triggers: [
      { mode: 'selected', items: [{ type: 'usage_anomaly' }] },
      {
        mode: 'selected',
        items: [{ type: 'error_anomaly', filter: 'statusGroup:5xx' }, { type: 'usage_anomaly' }],
      },
    ],
    matchMinimumSeverityLevel: ['high', 'critical'],
    severity: ['medium', 'high', custom],
    evaluation: [custom.evaluation, rates, { ...custom, trigger: { ...custom.trigger, output: 'formula' } }],
    trigger: [{ ...custom.trigger, threshold: 0 }, anomaly, custom],
    investigationPrompt: [...text, custom],
    tags: [['one'], ['two', 'one'], custom],
    'notificationSettings.enableTeamOwnerNotifications': [flag[1], flag[0]],
    'notificationSettings.incidentIoRoutingKey': text,
    'notificationSettings.vercelNotificationsMinimumSeverityLevel': ['critical', null],
  },
  single: ['type'],
  seed: { account: { alertRules: [{ name: 'anomalies', ...builtIn } as never] } },
};
