;;; session.el --- One session of Emacs with eglot on `memofs lsp`  -*- lexical-binding: t -*-

;; Run by test_emacs.py: emacs -Q --batch -l session.el
;; MEMOFS_PROGRAM is the program as a Lisp list of strings, MEMOFS_FILE the code file. What happened is written to
;; MEMOFS_REPORT as JSON; a step that fails or takes too long ends the session with an error.

(setq package-enable-at-startup nil
      create-lockfiles nil
      make-backup-files nil
      auto-save-default nil)
(when (file-directory-p "/usr/share/emacs/site-lisp/elpa")
  (dolist (folder (directory-files "/usr/share/emacs/site-lisp/elpa" t "\\`[a-z]"))
    (add-to-list 'load-path folder)))
(require 'eglot)
(require 'flymake)
(require 'json)
(setq eglot-sync-connect 30
      eglot-connect-timeout 30)

(defvar report nil "What happened, by step.")

(defun tell (step value)
  "Report VALUE for STEP."
  (push (cons step value) report)
  (with-temp-file (getenv "MEMOFS_REPORT")
    (insert (json-encode report))))

(defun wait-for (what holds)
  "What HOLDS returns once it is not nil; an error that names WHAT if that takes too long."
  (let ((end (+ (float-time) 30)) value)
    (while (and (not (setq value (funcall holds))) (< (float-time) end))
      (accept-process-output nil 0.02))
    (or value (error "Waited in vain: %s" what))))

(defun warnings ()
  "The texts of flymake's diagnostics."
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun send-changes ()
  "Let eglot tell the server what was typed."
  (run-hooks 'post-command-hook)
  (eglot--signal-textDocument/didChange))

(setq eglot-server-programs
      `((python-mode . ,(append (read (getenv "MEMOFS_PROGRAM")) '("lsp")))))
(find-file (getenv "MEMOFS_FILE"))
(python-mode)
(apply #'eglot (eglot--guess-contact))

(let* ((server (wait-for "the server" #'eglot-current-server))
       (process (jsonrpc--process server)))
  (tell 'emacs emacs-version)
  (tell 'name (plist-get (eglot--server-info server) :name))

  (goto-char (point-min))
  (search-forward "path = ")
  (tell 'hover (plist-get (plist-get (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams))
                                     :contents)
                          :value))

  (let ((found (jsonrpc-request server :memofs/recall '(:query "file per tenant" :limit 2))))
    (tell 'recall (mapcar (lambda (hit) (plist-get hit :title)) (plist-get found :hits)))
    (tell 'id (plist-get (elt (plist-get found :hits) 0) :id)))

  (flymake-start)
  (tell 'warnings-before (vconcat (warnings)))
  (search-forward "/srv/")
  (replace-match "/elsewhere/é😀/")
  (send-changes)
  (tell 'warnings-after-edit (vconcat (wait-for "a diagnostic" #'warnings)))
  (tell 'warning-line (line-number-at-pos (flymake-diagnostic-beg (car (flymake-diagnostics)))))

  (let ((done (eglot-execute-command server 'memofs.verify (vector (cdr (assq 'id report))))))
    (tell 'verified (mapcar (lambda (memory) (plist-get memory :title)) (plist-get done :memories))))
  (wait-for "no diagnostic" (lambda () (null (warnings))))
  (tell 'warnings-after-verify (vconcat (warnings)))

  ;; Emacs 28's jsonrpc kills the process as soon as `exit' is written, so eglot reports status 9 (SIGKILL) whatever the
  ;; server does. Said by hand and waited for, it is the server's own.
  (setf (eglot--shutdown-requested server) t)
  (jsonrpc-request server :shutdown nil :timeout 10)
  (jsonrpc-notify server :exit nil)
  (wait-for "the end of the server" (lambda () (not (process-live-p process))))
  (tell 'exit-status (process-exit-status process)))

;; A second session, ended the way that people end it.
(apply #'eglot (eglot--guess-contact))
(let ((server (wait-for "a second server" #'eglot-current-server)))
  (eglot-shutdown server nil 10)
  (tell 'ended (if (process-live-p (jsonrpc--process server)) :json-false t)))

(set-buffer-modified-p nil)
(kill-emacs 0)
