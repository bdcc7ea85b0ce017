-- Which versions of terms and privacy policy people have agreed to, when and how.

-- +goose Up
CREATE TABLE consents (
    user_id   text        NOT NULL,
    document  text        NOT NULL,
    version   date        NOT NULL,
    way       text        NOT NULL,
    agreed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (user_id, document, version),
    CONSTRAINT consents_user FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT consents_document CHECK (document IN ('terms', 'privacy')),
    CONSTRAINT consents_way CHECK (way IN ('signup', 'checkout', 'provider', 'payment_link', 'account', 'booking'))
);

CREATE TRIGGER consents_not_of_deleted AFTER INSERT ON consents
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION refuse_deleted();

-- +goose Down
DROP TABLE consents;
