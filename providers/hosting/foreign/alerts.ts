import { isPlainObject, type StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

/** The names in queries that users choose, so that they are no attributes of Terraform. */
const holdersOfNames = ['metrics', 'formulas'];

/**
 * Returns a value of a state as the platform spells it: without null, and with the names of attributes in camel case. `keepsNames`: for
 * users' names.
 */
function respell(value: unknown, keepsNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [
      keepsNames ? name : name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      respell(member, holdersOfNames.includes(name)),
    ]),
  );
}

/** The number of anomalies that the provider lists for a rule about all of them. */
const allAnomalies = 8;

/** Returns the anomalies of a rule. The state has a list also if the rule is about all of them: it then has each one without a filter. */
function triggersOf(attributes: Attributes): unknown {
  const items = attributes.items('triggers').map((item) => item.renamed({ type: 'type', filter: 'filter' }));
  if (items.length === 0) return undefined;
  const isAboutAll = items.length === allAnomalies && items.every(({ filter }) => filter === undefined);
  return isAboutAll ? { mode: 'all' } : { mode: 'selected', items };
}

/**
 * Converts a `vercel_alert_rule` or a `vercel_custom_alert_rule` of a Terraform state to objects of the account, for `trueup from
 * terraform`. Earlier provider versions kept rules in another form.
 */
export function alertRule(attributes: Attributes): StateReading {
  attributes.skip(
    'team_id',
    'is_default',
    'query_supported',
    'created_at',
    'updated_at',
    'agent_triage_enabled',
  );
  const projectId = attributes.text('project_id');
  const object = present({
    type: projectId === undefined ? 'built-in' : 'custom',
    ruleScope:
      projectId === undefined ? respell(attributes.take('rule_scope')) : { type: 'project', projectId },
    ...attributes.renamed({
      id: 'id',
      type: 'type',
      name: 'name',
      tags: 'tags',
      severity: 'severity',
      match_minimum_severity_level: 'matchMinimumSeverityLevel',
      investigation_prompt: 'investigationPrompt',
    }),
    triggers: triggersOf(attributes),
    evaluation: respell(attributes.take('evaluation')),
    trigger: respell(attributes.take('trigger')),
    notificationSettings: attributes.inner('notification_settings')?.renamed({
      enable_team_owner_notifications: 'enableTeamOwnerNotifications',
      incident_io_routing_key: 'incidentIoRoutingKey',
      vercel_notifications_minimum_severity_level: 'vercelNotificationsMinimumSeverityLevel',
    }),
  });
  if (object.ruleScope !== undefined) return attributes.reading([{ kind: 'alertRule', object }]);
  attributes.leave(
    'it has the form of an earlier provider version: upgrade the provider and refresh the state',
  );
  return attributes.reading([]);
}

/** Returns the rule that gets a notification. */
const inRule = (attributes: Attributes) => ({ kind: 'alertRule', id: attributes.text('alert_rule_id')! });

/** Converts a `vercel_alert_rule_webhook_notification` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function alertWebhook(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const level = attributes.renamed({ minimum_severity_level: 'minimumSeverityLevel' });
  const object = { type: 'webhook', webhookId: attributes.text('webhook_id'), ...level };
  return attributes.reading([{ kind: 'alertNotification', in: inRule(attributes), object }]);
}

/** Converts a `vercel_alert_rule_slack_notification` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function alertSlackChannel(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const members = attributes.renamed({
    minimum_severity_level: 'minimumSeverityLevel',
    slack_channel_id: 'channelId',
    slack_installation_id: 'configId',
  });
  const object = { type: 'slack', ...members };
  return attributes.reading([{ kind: 'alertNotification', in: inRule(attributes), object }]);
}
