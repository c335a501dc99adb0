/*
 * Keeps writes off connections that the server may have closed.
 *
 * A server closes a connection that was idle for some time, often five seconds. undici gives up idle connections before that, but its
 * timers run only when the event loop turns. A long calculation, such as the plan of 100,000 objects, keeps the loop from turning. Before
 * undici uses an idle connection, it lets the current turn end, to see if the server has closed it. That does not help after a calculation
 * which an event of this turn has started, such as the end of a write to the journal: the next events are read in the next turn. The
 * request then gets no answer, and a write must not be repeated, because nothing shows whether it was carried out. So after a pause, all
 * requests go to new connections.
 */
import type { Dispatcher } from 'undici';

/** The connections to one origin. */
export interface Connections {
  /** Sends one request. Throws what undici throws. */
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Closes all connections, and cuts the requests that are under way. */
  destroy(): Promise<void>;
}

/**
 * The longest pause after which connections are used again, in milliseconds. undici gives up an idle connection up to a second late, and
 * two seconds before the server does (`keepAliveTimeoutThreshold`), so a second is left.
 */
const longestPause = 1000;

/**
 * Opens connections with `open`, and opens new ones for the first request after a pause, because the server may have closed the idle ones:
 * a write on such a connection would get no answer, and must not be repeated. Requests that are under way keep their connections. `now`:
 * returns milliseconds that never jump back.
 */
export function reopenAfterPause(
  open: () => Dispatcher,
  now: () => number = () => performance.now(),
): Connections {
  let current = open();
  let lastUse = now();
  const earlier = new Set<Dispatcher>();
  const retire = (dispatcher: Dispatcher) => {
    earlier.add(dispatcher);
    // Resolves when its requests have ended. It fails only if it was destroyed meanwhile.
    const forget = () => void earlier.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  };
  return {
    request: async (options) => {
      if (now() - lastUse > longestPause) {
        retire(current);
        current = open();
      }
      lastUse = now();
      try {
        return await current.request(options);
      } finally {
        lastUse = now();
      }
    },
    destroy: async () => {
      await Promise.all([current, ...earlier].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
