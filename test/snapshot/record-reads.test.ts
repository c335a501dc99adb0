import { describe, expect, it } from 'vitest';
import type { AccountEvent, Connection } from '../../src/kind/provider.ts';
import { ReadRecording } from '../../src/snapshot/record-reads.ts';

/** Returns the connection of a recording to an account with these answers. */
function connectionTo(answers: readonly unknown[], events: AccountEvent[] = []) {
  const recording = new ReadRecording();
  const remaining = [...answers];
  const send = async () => {
    const answer = remaining.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const connection = recording.record({ send, events: async () => events } as never as Connection);
  return { recording, connection };
}

const request = { endpoint: 'GET /v9/projects/{project}' } as const;

describe('recorded reads', () => {
  it('have the members that were read in any of several equal answers', async () => {
    const answer = () => ({ name: 'web', crons: { enabled: true }, secret: 'canary' });
    const { recording, connection } = connectionTo([answer(), answer()]);
    expect(((await connection.send(request)) as { name: string }).name).toBe('web');
    expect(((await connection.send(request)) as { crons: { enabled: boolean } }).crons.enabled).toBe(true);
    expect(recording.finish().reads).toEqual([
      expect.objectContaining({ answer: { value: { name: 'web', crons: { enabled: true } } } }),
    ]);
  });

  it('have those texts of events that the plan found', async () => {
    const about = new Set(['prj_1', 'old value of a variable: canary']);
    const { recording, connection } = connectionTo([], [{ when: 1, by: { name: 'ada' }, about } as never]);
    const [event] = await connection.events!(0);
    expect([event!.about.has('prj_1'), event!.about.has('prj_2')]).toEqual([true, false]);
    expect(recording.finish().events).toEqual({
      value: [{ when: 1, by: { name: 'ada' }, about: ['prj_1'] }],
    });
  });

  it('have of an error its message and status, and not the refused parts of a request', async () => {
    const error = Object.assign(new Error('refused'), { status: 400, failed: [{ value: 'canary' }] });
    const { recording, connection } = connectionTo([error]);
    await expect(connection.send(request)).rejects.toThrow('refused');
    expect(recording.finish().reads).toEqual([
      expect.objectContaining({ answer: { error: { message: 'refused', members: { status: 400 } } } }),
    ]);
  });
});
