import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, texts, number, integer, flag, json, time } = described;

const session = () => ({ session: text('The id of the session: `sbx_...`.') });
const sessionFields = () => ({ id: text('The id of the session.'), status: text('Its status.') });
/** Describes the result about a command in a sandbox. */
const commandFields = () => ({
  id: text('The id of the command.'),
  name: text('The program.'),
  args: json('Its arguments.'),
  exitCode: integer('Its exit code, once it has finished.'),
});
/** Describes the result about a snapshot of a sandbox. */
const snapshotFields = () => ({
  id: text('The id of the snapshot.'),
  status: text('Its status.'),
  sizeBytes: integer('Its size.'),
  createdAt: time('When it was created.'),
});

export const runCommand = defineAction({
  name: 'runCommand',
  doc: 'Runs a command in a sandbox session.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/cmd',
  input: () => ({
    ...session(),
    command: text('The program.'),
    args: texts('Its arguments, one per item.').optional(),
    cwd: text('The working directory.').optional(),
    env: z.record(z.string(), z.string()).optional().describe('Environment variables: `env.CI=1`.'),
    sudo: flag('Run as root.').optional(),
  }),
  grade: 'disruptive',
  why: 'the command may change anything in the sandbox',
  item: 'command',
  output: commandFields,
});

export const killCommand = defineAction({
  name: 'killCommand',
  doc: 'Sends a signal to a running command in a sandbox session.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/cmd/{command}/kill',
  input: () => ({
    ...session(),
    command: text('The id of the command.'),
    signal: integer('The signal number: 15 (SIGTERM) or 9 (SIGKILL).').default(15),
  }),
  grade: 'disruptive',
  why: 'the command ends',
  repeatable: true,
  item: 'command',
  output: commandFields,
});

export const stopSession = defineAction({
  name: 'stopSession',
  doc: 'Stops a sandbox session.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/stop',
  input: session,
  grade: 'disruptive',
  why: 'what runs in it ends',
  repeatable: true,
  item: 'session',
  output: sessionFields,
  until: { lookup: 'sandboxSession', input: ({ input }) => ({ id: input.session }) },
});

export const extendSession = defineAction({
  name: 'extendSession',
  doc: 'Extends a sandbox session.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/extend-timeout',
  input: () => ({ ...session(), duration: number('The extension, in milliseconds.') }),
  grade: 'safe',
  cost: 'the additional run time',
  item: 'session',
  output: sessionFields,
});

export const setSessionNetwork = defineAction({
  name: 'setSessionNetwork',
  doc: 'Sets the network policy of a running sandbox session.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/network-policy',
  input: () => ({
    ...session(),
    mode: z
      .enum(['allow-all', 'deny-all', 'custom', 'default-allow', 'default-deny'])
      .describe('The default policy.'),
    allowedDomains: texts('Allowed hosts.').optional(),
    allowedCIDRs: texts('Allowed networks.').optional(),
    deniedCIDRs: texts('Denied networks.').optional(),
    injectionRules: z.array(z.any()).optional().describe('Headers to inject into requests, each as JSON.'),
  }),
  grade: 'disruptive',
  why: 'running code may lose connections or gain access',
  repeatable: true,
  item: 'session',
  output: sessionFields,
});

export const snapshotSession = defineAction({
  name: 'snapshotSession',
  doc: "Takes a snapshot of a sandbox session's file system and stops the session.",
  endpoint: 'POST /v3/sandboxes/sessions/{session}/snapshot',
  input: () => ({
    ...session(),
    expiration: number('Milliseconds until it is deleted; 0 for never.').optional(),
  }),
  grade: 'disruptive',
  why: 'the session stops',
  cost: 'the stored snapshot',
  item: 'snapshot',
  output: snapshotFields,
});

export const deleteSnapshot = defineAction({
  name: 'deleteSnapshot',
  doc: 'Deletes a snapshot of a sandbox.',
  endpoint: 'DELETE /v2/sandboxes/snapshots/{snapshot}',
  input: () => ({ snapshot: text('The id of the snapshot: `snap_...`.') }),
  grade: 'irreversible',
  why: 'a deleted snapshot cannot be restored',
  item: 'snapshot',
  output: snapshotFields,
});

export const forkSandbox = defineAction({
  name: 'forkSandbox',
  doc: 'Forks a sandbox: creates another one from its current state.',
  endpoint: 'POST /v3/sandboxes/{sandbox}/fork',
  on: 'sandbox',
  input: () => ({
    name: text('The name of the new sandbox.').optional(),
    timeout: number('Milliseconds until it stops.').optional(),
    persistent: flag('Keep it after it stops.').optional(),
  }),
  grade: 'safe',
  cost: 'the run time',
});
