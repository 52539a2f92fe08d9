-- Once, on any node: the database and who may use it. Change the password first.
CREATE DATABASE IF NOT EXISTS painel CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The panel: its own tables, which it brings up to date itself, and nothing beside them.
CREATE USER IF NOT EXISTS 'painel'@'%' IDENTIFIED BY 'troque-esta-senha';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON painel.* TO 'painel'@'%';

-- The health script: may ask how the node is, over the node's own socket, and read nothing.
CREATE USER IF NOT EXISTS 'painel-health'@'localhost' IDENTIFIED VIA unix_socket;
