/** Waits until calls pause, and runs only the last one. */

export interface Debounced {
  (): void;
  cancel(): void;
}

export function debounced(waitMs: number, run: () => void): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const call = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, waitMs);
  };
  call.cancel = (): void => clearTimeout(timer);
  return call;
}
