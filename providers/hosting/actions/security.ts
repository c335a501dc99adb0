import { defineAction, described } from '#kind';

const { text, json } = described;

const version = () => ({
  version: text('The version, as the platform numbers it, or `draft`.'),
});

export const activateFirewallVersion = defineAction({
  name: 'activateFirewallVersion',
  doc: 'Makes a version of the firewall of a project the active one: an earlier one, or the draft.',
  endpoint: 'POST /v1/security/firewall/config/{version}/activate?projectId={project}',
  on: 'project',
  input: version,
  grade: 'disruptive',
  why: 'other requests are let through or refused at once',
  repeatable: true,
  output: () => ({
    id: text('The id of the version.'),
    version: json('Its number.'),
    firewallEnabled: described.flag('It is on.'),
  }),
});

export const discardFirewallVersion = defineAction({
  name: 'discardFirewallVersion',
  doc: 'Discards the draft of the firewall of a project, or another version that is not active.',
  endpoint: 'DELETE /v1/security/firewall/config/{version}?projectId={project}',
  on: 'project',
  input: version,
  grade: 'destructive',
  why: 'what was drafted is gone',
  repeatable: true,
});

export const generateFirewallRule = defineAction({
  name: 'generateFirewallRule',
  doc: 'Has the platform write a firewall rule from a sentence. Nothing is changed.',
  endpoint: 'POST /v1/security/firewall/config/generate-rule?projectId={project}',
  on: 'project',
  input: () => ({
    prompt: text('What it is to do.'),
    currentRule: json('The rule that is changed, where it is not a new one.').optional(),
  }),
  grade: 'safe',
  repeatable: true,
  output: () => ({ rule: json('The rule, as a configuration has it.'), error: text('Why there is none.') }),
});
