import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, texts, number, whole, flag, json, time } = described;

const session = () => ({ session: text('The id of the session: `sbx_...`.') });
const sessionFields = () => ({ id: text('The id of the session.'), status: text('How it stands.') });
const commandFields = () => ({
  id: text('The id of the command.'),
  name: text('The program.'),
  args: json('Its arguments.'),
  exitCode: whole('Its exit code, once it is over.'),
});
const snapshotFields = () => ({
  id: text('The id of the snapshot.'),
  status: text('How it stands.'),
  sizeBytes: whole('Its size.'),
  createdAt: time('When it was made.'),
});

export const runCommand = defineAction({
  name: 'runCommand',
  doc: 'Runs a command in a session of a sandbox.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/cmd',
  input: () => ({
    ...session(),
    command: text('The program.'),
    args: texts('Its arguments, each by itself.').optional(),
    cwd: text('The folder that it runs in.').optional(),
    env: z.record(z.string(), z.string()).optional().describe('Variables of its environment: `env.CI=1`.'),
    sudo: flag('As the superuser.').optional(),
  }),
  grade: 'disruptive',
  why: 'the command may change anything in the sandbox',
  item: 'command',
  output: commandFields,
});

export const killCommand = defineAction({
  name: 'killCommand',
  doc: 'Sends a signal to a command that runs in a session of a sandbox.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/cmd/{command}/kill',
  input: () => ({
    ...session(),
    command: text('The id of the command.'),
    signal: whole('The number of the signal: 15 asks it to end, 9 ends it.').default(15),
  }),
  grade: 'disruptive',
  why: 'the command ends',
  repeatable: true,
  item: 'command',
  output: commandFields,
});

export const stopSession = defineAction({
  name: 'stopSession',
  doc: 'Stops a session of a sandbox.',
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
  doc: 'Lets a session of a sandbox run longer.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/extend-timeout',
  input: () => ({ ...session(), duration: number('By how many milliseconds.') }),
  grade: 'safe',
  cost: 'the time that it runs longer',
  item: 'session',
  output: sessionFields,
});

export const setSessionNetwork = defineAction({
  name: 'setSessionNetwork',
  doc: 'Says what a running session of a sandbox may reach.',
  endpoint: 'POST /v2/sandboxes/sessions/{session}/network-policy',
  input: () => ({
    ...session(),
    mode: z
      .enum(['allow-all', 'deny-all', 'custom', 'default-allow', 'default-deny'])
      .describe('What holds where nothing else is said.'),
    allowedDomains: texts('Hosts that it may reach.').optional(),
    allowedCIDRs: texts('Networks that it may reach.').optional(),
    deniedCIDRs: texts('Networks that it may not reach.').optional(),
    injectionRules: z.array(z.any()).optional().describe('Headers that are put into requests, each as JSON.'),
  }),
  grade: 'disruptive',
  why: 'what runs in it may lose its connections, or reach more than before',
  repeatable: true,
  item: 'session',
  output: sessionFields,
});

export const snapshotSession = defineAction({
  name: 'snapshotSession',
  doc: 'Keeps the file system of a session of a sandbox, and stops the session.',
  endpoint: 'POST /v3/sandboxes/sessions/{session}/snapshot',
  input: () => ({
    ...session(),
    expiration: number('After how many milliseconds it is deleted; 0: never.').optional(),
  }),
  grade: 'disruptive',
  why: 'the session stops',
  cost: 'what is kept',
  item: 'snapshot',
  output: snapshotFields,
});

export const deleteSnapshot = defineAction({
  name: 'deleteSnapshot',
  doc: 'Deletes a snapshot of a sandbox.',
  endpoint: 'DELETE /v2/sandboxes/snapshots/{snapshot}',
  input: () => ({ snapshot: text('The id of the snapshot: `snap_...`.') }),
  grade: 'irreversible',
  why: 'a snapshot does not come back',
  item: 'snapshot',
  output: snapshotFields,
});

export const forkSandbox = defineAction({
  name: 'forkSandbox',
  doc: 'Makes another sandbox that begins as this one is now.',
  endpoint: 'POST /v3/sandboxes/{sandbox}/fork',
  on: 'sandbox',
  input: () => ({
    name: text('The name of the other one.').optional(),
    timeout: number('After how many milliseconds it stops.').optional(),
    persistent: flag('It is kept once it stops.').optional(),
  }),
  grade: 'safe',
  cost: 'the time that it runs',
});
