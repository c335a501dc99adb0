import { defineAction, described } from '#kind';

const { text, json } = described;

const version = () => ({
  version: text('The version, as the platform numbers it, or `draft`.'),
});

export const activateFirewallVersion = defineAction({
  name: 'activateFirewallVersion',
  doc: "Activates a version of a project's firewall: an earlier one, or the draft.",
  endpoint: 'POST /v1/security/firewall/config/{version}/activate?projectId={project}',
  on: 'project',
  input: version,
  grade: 'disruptive',
  why: 'different requests are allowed or denied immediately',
  repeatable: true,
  output: () => ({
    id: text('The id of the version.'),
    version: json('Its number.'),
    firewallEnabled: described.flag('Whether it is on.'),
  }),
});

export const discardFirewallVersion = defineAction({
  name: 'discardFirewallVersion',
  doc: 'Discards the draft of the firewall of a project, or another version that is not active.',
  endpoint: 'DELETE /v1/security/firewall/config/{version}?projectId={project}',
  on: 'project',
  input: version,
  grade: 'destructive',
  why: 'the draft is lost',
  repeatable: true,
});

export const generateFirewallRule = defineAction({
  name: 'generateFirewallRule',
  doc: 'Generates a firewall rule from a description. Nothing is changed.',
  endpoint: 'POST /v1/security/firewall/config/generate-rule?projectId={project}',
  on: 'project',
  input: () => ({
    prompt: text('What it should do.'),
    currentRule: json('The rule to change; omit for a new one.').optional(),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({
    rule: json('The rule, in the form of a configuration.'),
    error: text('Why there is none.'),
  }),
});
