import { onTestFinished } from 'vitest';
import { inFront } from './in-front.ts';

/** A server in front of another one that lets requests through, but for those that it is told to hold until it is opened. */
export async function gateTo(url: string, isHeld: (method: string, path: string) => boolean) {
  let open: () => void = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  let arrived: () => void = () => {};
  const firstHeld = new Promise<void>((done) => {
    arrived = done;
  });
  const front = await inFront(
    () => url,
    async ({ method, path }, pass) => {
      if (isHeld(method, path)) {
        arrived();
        await opened;
      }
      return pass();
    },
  );
  onTestFinished(() => {
    open();
    front.close();
  });
  return { url: front.url, open: () => open(), firstHeld };
}
